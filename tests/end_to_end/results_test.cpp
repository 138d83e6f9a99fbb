// SPDX-License-Identifier: Apache-2.0
// The dossiers that the project publishes stay readable and whole, whatever keys and columns come later.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "end_to_end/program.h"

namespace {

TEST(Results, EveryPackedDossierIsWhole) {
  int packs = 0;
  for (const auto& pack : std::filesystem::directory_iterator(std::filesystem::path(ETALON_SOURCE_ROOT) / "results")) {
    if (!pack.path().string().ends_with(".tar.gz")) continue;
    ++packs;
    const Place place("");
    std::filesystem::create_directory(place / "packed");
    const std::string unpack = "tar -xzf '" + pack.path().string() + "' -C '" + (place / "packed").string() + "'";
    ASSERT_EQ(std::system(unpack.c_str()), 0) << pack.path();
    for (const auto& folder : std::filesystem::directory_iterator(place / "packed")) {
      const Place::Ended verified = place.run({"verify", folder.path().string()});
      EXPECT_EQ(verified.status, 0) << pack.path() << "\n" << verified.output << verified.errors;
    }
  }
  EXPECT_GT(packs, 0);
}

}  // namespace
