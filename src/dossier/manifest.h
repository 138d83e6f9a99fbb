// SPDX-License-Identifier: Apache-2.0
// The seal: one line "<sha256>  <path>" per file, readable by `sha256sum --check`; and the list of what lies in a dossier.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dossier/verify.h"

namespace etalon::dossier {

/// The regular files of a dossier by relative path with their sizes, and what else lies there.
struct Inventory {
  std::map<std::string, std::uint64_t> files;
  std::vector<Finding> irregular;  ///< symbolic links, sockets, devices, …; never followed or opened
};
Inventory take_inventory(const std::filesystem::path& folder);

/// Hashes every file that is not derived, and puts the manifest in place atomically.
void write_manifest(const std::filesystem::path& folder);

/// Relative path → hash. Lines that are no entry, leave the folder or repeat a path become findings.
std::map<std::string, std::string> parse_manifest(std::string_view text, std::vector<Finding>& findings);

/// Every listed file is there with its hash, and no other file is but derived ones. Returns the number of files that match.
std::size_t check_manifest(const std::filesystem::path& folder, const Inventory& inventory,
                           std::vector<Finding>& findings);

}  // namespace etalon::dossier
