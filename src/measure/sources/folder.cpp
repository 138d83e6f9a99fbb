// SPDX-License-Identifier: Apache-2.0
// Listing of /sys folders.
#include "measure/sources/folder.h"

#include <algorithm>
#include <system_error>

#include "machine/system_file.h"

namespace etalon::measure {

FolderListing list_folder(const std::filesystem::path& root, std::string_view folder, std::string_view prefix) {
  FolderListing listing;
  std::error_code error;
  std::filesystem::directory_iterator entry(machine::below(root, folder), error);
  for (const std::filesystem::directory_iterator end; !error && entry != end; entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (name.starts_with(prefix)) listing.names.push_back(std::move(name));
  }
  listing.error_number = error.value();
  std::sort(listing.names.begin(), listing.names.end(), [](const std::string& left, const std::string& right) {
    return left.size() != right.size() ? left.size() < right.size() : left < right;
  });
  return listing;
}

}  // namespace etalon::measure
