// SPDX-License-Identifier: Apache-2.0
// Files and passages that are generated from tables and checked in. With ETALON_UPDATE_GOLDEN=1 a test writes them anew
// instead of comparing.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/file.h"

inline bool update_golden() {
  const char* update = std::getenv("ETALON_UPDATE_GOLDEN");
  return update != nullptr && std::string(update) == "1";
}

/// The file's text must be `expected`, byte for byte.
inline void expect_generated(const std::filesystem::path& file, const std::string& expected) {
  if (update_golden()) etalon::base::replace_file(file, expected);
  EXPECT_EQ(etalon::base::read_file(file), expected)
      << file << " is generated: run this test with ETALON_UPDATE_GOLDEN=1 to write it anew, then commit it";
}

/// The passage between "<!-- NAME: … -->" and "<!-- end -->" must be `expected`.
inline void expect_generated_passage(const std::filesystem::path& file, const std::string& name,
                                     const std::string& expected) {
  const std::string text = etalon::base::read_file(file);
  const std::size_t marker = text.find("<!-- " + name + ": ");
  ASSERT_NE(marker, std::string::npos);
  const std::size_t start = text.find('\n', marker) + 1;
  const std::size_t end = text.find("<!-- end -->", start);
  ASSERT_NE(end, std::string::npos);
  expect_generated(file, text.substr(0, start) + expected + text.substr(end));
}
