// SPDX-License-Identifier: Apache-2.0
// What the tests of texts and tokens share.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "temporary_folder.h"
#include "worker/failure.h"

namespace etalon::data_test {

/// Writes a file of a test's folder and returns its path.
inline std::filesystem::path write(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  std::filesystem::create_directories((folder / name).parent_path());
  std::ofstream(folder / name, std::ios::binary) << text;
  return folder / name;
}

/// The folder with larger data; empty where there is none.
inline std::filesystem::path large_data() {
  const char* const named = std::getenv("ETALON_TEST_DATA");
  const std::filesystem::path root =
      named != nullptr ? std::filesystem::path(named) : std::filesystem::path(ETALON_SOURCE_ROOT) / ".." / "shared";
  return std::filesystem::is_directory(root / "data") ? root / "data" : std::filesystem::path();
}

/// `action` throws a worker::Failure of kind "data" or "unsupported" whose message holds `words`, with a next step.
template <class Action>
void expect_failure(Action&& action, const std::string& words) {
  try {
    action();
    ADD_FAILURE() << "nothing was refused; expected: " << words;
  } catch (const worker::Failure& failure) {
    EXPECT_THAT(failure.what(), ::testing::HasSubstr(words));
    EXPECT_FALSE(failure.next_step().empty());
  }
}

}  // namespace etalon::data_test
