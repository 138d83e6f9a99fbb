// SPDX-License-Identifier: Apache-2.0
// Compares a text with a checked-in file; ETALON_UPDATE_GOLDEN=1 rewrites the file instead (look at the difference, then commit).
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

inline void expect_golden(const std::string& actual, const std::filesystem::path& file) {
  if (std::getenv("ETALON_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << actual;
    return;
  }
  std::ifstream stream(file, std::ios::binary);
  std::stringstream expected;
  expected << stream.rdbuf();
  EXPECT_EQ(actual, expected.str())
      << "differs from " << file.filename()
      << "; if the change is wanted, run this test with ETALON_UPDATE_GOLDEN=1 and commit the file";
}
