// SPDX-License-Identifier: Apache-2.0
// Which shared libraries this process maps, with their hashes: two runs can only be compared when one knows what ran.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "wire/event.h"

namespace etalon::events {

/// Paths of the shared libraries mapped now, sorted.
std::vector<std::string> mapped_libraries(const std::filesystem::path& maps = "/proc/self/maps");

/// Hashes libraries once each. Hashes are kept in a cache file under (device, inode, size, modification and change
/// time), because the
/// libraries of CUDA are gigabytes and do not change between runs.
class LibraryHashes {
 public:
  /// `cache`: file to use; an unreadable one is ignored, an unwritable one costs only time.
  explicit LibraryHashes(std::filesystem::path cache);
  static std::filesystem::path default_cache();

  /// Those of `mapped` not returned by an earlier call; unknown ones are hashed in parallel. An unreadable file has no
  /// hash.
  std::vector<wire::Library> new_libraries(const std::vector<std::string>& mapped = mapped_libraries());

 private:
  void load();
  void store() const;
  std::filesystem::path cache_;
  std::map<std::string, std::string> known_;     // identity → hash
  std::map<std::string, std::string> returned_;  // path → hash
};

/// Folder of the LibTorch in this process (…/torch/lib), and the torch package around it.
std::filesystem::path torch_library_folder();
std::filesystem::path torch_package_folder();

/// Versions as the package's version.py states them ("pytorch" → "2.11.0+cu130", "cuda" → "13.0"); of PyTorch that of
/// the headers
/// when it states none.
std::map<std::string, std::string> torch_versions();

}  // namespace etalon::events
