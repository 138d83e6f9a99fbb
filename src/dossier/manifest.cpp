// SPDX-License-Identifier: Apache-2.0
#include "dossier/manifest.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "dossier/layout.h"

namespace etalon::dossier {

namespace {

constexpr std::size_t hash_digits = 64;

bool is_hash(std::string_view text) {
  return text.size() == hash_digits && std::ranges::all_of(text, [](char digit) {
           return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
         });
}

/// Relative, downwards only, and printable: a line of the manifest can hold it and cannot lead elsewhere.
bool is_plain_path(std::string_view path) {
  if (path.empty() || path.size() > 4096) return false;
  for (const char character : path)
    if (static_cast<unsigned char>(character) < 0x20 || character == 0x7f || character == '\\') return false;
  for (const std::string_view part : base::split(path, '/'))
    if (part.empty() || part == "." || part == "..") return false;
  return true;
}

}  // namespace

Inventory take_inventory(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  Inventory inventory;
  std::error_code error;
  fs::recursive_directory_iterator entries(folder, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    const std::string path = entries->path().lexically_relative(folder).generic_string();
    const fs::file_status status = entries->symlink_status(error);
    if (fs::is_directory(status)) continue;
    if (!fs::is_regular_file(status)) {
      inventory.irregular.push_back(
          {base::printable(path, 200), fs::is_symlink(status) ? "it is a symbolic link" : "it is no regular file"});
    } else {
      inventory.files[path] = entries->file_size(error);
    }
    if (inventory.files.size() + inventory.irregular.size() > most_files) {
      inventory.irregular.push_back({".", fmt::format("there are more than {} files", most_files)});
      break;
    }
  }
  if (error) inventory.irregular.push_back({".", "the folder cannot be listed: " + error.message()});
  return inventory;
}

void write_manifest(const std::filesystem::path& folder) {
  const Inventory inventory = take_inventory(folder);
  if (!inventory.irregular.empty())
    throw base::Error(base::ExitCode::internal,
                      fmt::format("{} cannot be sealed: {}: {}", folder.string(), inventory.irregular.front().place,
                                  inventory.irregular.front().problem),
                      "leave the folder to étalon while it writes there");
  std::string text;
  for (const auto& [path, size] : inventory.files) {
    if (is_derived(path)) continue;
    if (!is_plain_path(path))
      throw base::Error(base::ExitCode::internal, fmt::format("{} cannot be sealed: a file has the name \"{}\"",
                                                              folder.string(), base::printable(path, 200)));
    text += base::sha256_file(folder / path) + "  " + path + "\n";
  }
  base::replace_file(folder / manifest_file, text);
}

std::map<std::string, std::string> parse_manifest(std::string_view text, std::vector<Finding>& findings) {
  std::map<std::string, std::string> entries;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::string place = fmt::format("{}:{}", manifest_file, number);
    const std::size_t newline = text.find('\n');
    const std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    const bool separated = line.size() > hash_digits + 2 && line.substr(hash_digits, 2) == "  ";
    if (newline == std::string_view::npos || !separated || !is_hash(line.substr(0, hash_digits))) {
      findings.push_back({place, "the line is not \"<sha256>  <path>\""});
    } else if (const std::string_view path = line.substr(hash_digits + 2); !is_plain_path(path)) {
      findings.push_back(
          {place, fmt::format("the path \"{}\" is not one inside the dossier", base::printable(path, 200))});
    } else if (!entries.emplace(path, line.substr(0, hash_digits)).second) {
      findings.push_back({place, fmt::format("{} is listed twice", path)});
    }
    if (findings.size() >= most_files) break;
  }
  return entries;
}

std::size_t check_manifest(const std::filesystem::path& folder, const Inventory& inventory,
                           std::vector<Finding>& findings) {
  const auto entries = parse_manifest(base::read_file(folder / manifest_file, most_json_bytes), findings);
  std::size_t matching = 0;
  for (const auto& [path, hash] : entries) {
    if (!inventory.files.contains(path)) {
      findings.push_back({path, "it is listed in the manifest and is not there"});
    } else if (base::sha256_file(folder / path) != hash) {
      findings.push_back({path, "its content is not what was sealed (SHA-256 differs)"});
    } else {
      ++matching;
    }
  }
  for (const auto& [path, size] : inventory.files)
    if (!is_derived(path) && !entries.contains(path))
      findings.push_back({base::printable(path, 200), "it is not listed in the manifest"});
  return matching;
}

}  // namespace etalon::dossier
