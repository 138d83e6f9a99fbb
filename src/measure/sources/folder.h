// SPDX-License-Identifier: Apache-2.0
// Numbered folders of /sys ("thermal_zone0", "thermal_zone10") in their numerical order.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace etalon::measure {

struct FolderListing {
  std::vector<std::string> names;  ///< those that begin with the prefix, shorter first, then alphabetical
  int error_number = 0;            ///< why the folder could not be listed
};

FolderListing list_folder(const std::filesystem::path& root, std::string_view folder, std::string_view prefix);

}  // namespace etalon::measure
