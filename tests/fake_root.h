// SPDX-License-Identifier: Apache-2.0
// A fake machine: /proc, /sys and /etc below a temporary folder, written file by file so that a test shows what it needs.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "temporary_folder.h"

class FakeRoot {
 public:
  const std::filesystem::path& path() const { return folder_.path(); }

  /// Creates or replaces the file `name` ("/proc/stat").
  FakeRoot& write(std::string_view name, std::string_view text) {
    const std::filesystem::path file = below(name);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return *this;
  }
  void remove(std::string_view name) { std::filesystem::remove_all(below(name)); }
  std::filesystem::path below(std::string_view name) const { return folder_ / std::filesystem::path(name.substr(1)); }

 private:
  TemporaryFolder folder_;
};
