// SPDX-License-Identifier: Apache-2.0
#include "dossier/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "example.h"

namespace etalon::dossier {
namespace {

using ::testing::HasSubstr;

const std::string hash(64, 'a');

std::vector<Finding> findings_of(const std::string& manifest) {
  std::vector<Finding> findings;
  parse_manifest(manifest, findings);
  return findings;
}

TEST(Manifest, ReadsHashAndPath) {
  std::vector<Finding> findings;
  const auto entries = parse_manifest(hash + "  a/b c.csv\n" + hash + "  d\n", findings);
  EXPECT_TRUE(findings.empty());
  EXPECT_EQ(entries.at("a/b c.csv"), hash);
  EXPECT_EQ(entries.size(), 2u);
}

TEST(Manifest, RefusesPathsThatLeaveTheDossier) {
  for (const std::string path : {"../other", "/etc/passwd", "a/../../b", "./a", "a//b", "a/", "a\\b", "a\tb", "\x7f"}) {
    const std::vector<Finding> findings = findings_of(hash + "  " + path + "\n");
    ASSERT_EQ(findings.size(), 1u) << path;
    EXPECT_THAT(findings[0].problem, HasSubstr("not one inside")) << path;
  }
}

TEST(Manifest, RefusesWhatIsNoEntry) {
  EXPECT_EQ(findings_of(hash + " one-space\n").size(), 1u);
  EXPECT_EQ(findings_of(std::string(64, 'A') + "  upper-case\n").size(), 1u);
  EXPECT_EQ(findings_of(hash + "  no-newline").size(), 1u);
  EXPECT_EQ(findings_of("\n").size(), 1u);
  EXPECT_EQ(findings_of(hash + "  twice\n" + hash + "  twice\n").size(), 1u);
}

TEST(Inventory, NeverFollowsLinksNorOpensPipes) {
  const example::Place place;
  example::overwrite(place / "file", "123");
  std::filesystem::create_directory(place / "folder");
  example::overwrite(place / "folder/inner", "");
  std::filesystem::create_symlink("/etc", place / "folder/link");
  ASSERT_EQ(std::system(("mkfifo '" + (place / "pipe").string() + "'").c_str()), 0);
  const Inventory inventory = take_inventory(place.path());
  EXPECT_EQ(inventory.files.size(), 2u);
  EXPECT_EQ(inventory.files.at("file"), 3u);
  EXPECT_EQ(inventory.irregular.size(), 2u);
}

}  // namespace
}  // namespace etalon::dossier
