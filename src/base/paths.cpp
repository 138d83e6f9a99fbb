// SPDX-License-Identifier: Apache-2.0
#include "base/paths.h"

#include <cstdlib>

namespace etalon::base {

namespace fs = std::filesystem;

fs::path executable_path() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

fs::path source_root() {
  std::error_code error;
  const fs::path program = executable_path();
  for (fs::path folder = program.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (folder.filename().string().starts_with("build") && fs::is_directory(folder.parent_path() / "recipes", error) &&
        fs::is_regular_file(folder.parent_path() / "bootstrap", error))
      return folder.parent_path();
  }
  return {};
}

fs::path share_folder() { return executable_path().parent_path().parent_path() / "share" / "etalon"; }

namespace {

/// By the convention of the XDG base directories: relative paths in the environment count as not set.
fs::path folder_of_user(const char* variable, const char* below_home) {
  if (const char* folder = std::getenv(variable); folder != nullptr && *folder == '/')
    return fs::path(folder) / "etalon";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return fs::path(home) / below_home / "etalon";
  return {};
}

}  // namespace

fs::path config_folder() { return folder_of_user("XDG_CONFIG_HOME", ".config"); }
fs::path state_folder() { return folder_of_user("XDG_STATE_HOME", ".local/state"); }
fs::path cache_folder() { return folder_of_user("XDG_CACHE_HOME", ".cache"); }

}  // namespace etalon::base
