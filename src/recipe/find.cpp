// SPDX-License-Identifier: Apache-2.0
// Recipes by name: an ordered list of folders, the first that has it wins.
#include "recipe/find.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/text.h"
#include "recipe/toml_file.h"

namespace etalon::recipe {

namespace {

using base::Error;
using base::ExitCode;
namespace fs = std::filesystem;

RequestedRecipe read_recipe(const fs::path& path) {
  return parse(base::read_file(path, largest_toml_bytes), path.stem().string(), path.string());
}

std::string title_of(const fs::path& path) {
  try {
    const RequestedRecipe requested = read_recipe(path);
    const auto title = requested.values.find("title");
    return title == requested.values.end() ? "" : title->second.value.get<std::string>();
  } catch (const Error& error) {
    return fmt::format("(unreadable: {})", error.what());
  }
}

std::vector<fs::path> recipes_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".toml" && entry->is_regular_file(ignored)) files.push_back(entry->path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Name → file, an earlier folder hiding a later one.
std::map<std::string, fs::path> recipes_by_name() {
  std::map<std::string, fs::path> found;
  for (const fs::path& folder : recipe_folders())
    for (const fs::path& file : recipes_in(folder)) found.emplace(file.stem().string(), file);
  return found;
}

Error no_such_recipe(const std::string& name, const std::map<std::string, fs::path>& found) {
  std::vector<std::string> names;
  for (const auto& [known, file] : found) names.push_back(known);
  std::vector<std::string> folders;
  for (const fs::path& folder : recipe_folders()) folders.push_back(folder.string());
  const std::string meant = name.size() > 100 ? "" : base::nearest(name, names);
  return Error(ExitCode::usage,
               fmt::format("there is no recipe \"{}\" in {}", base::printable(name, 100), base::join(folders, ", ")),
               fmt::format("{}`etalon list recipes` shows all; a file is named by its path, with a '/' or \".toml\"",
                           meant.empty() ? "" : fmt::format("did you mean {}? ", meant)));
}

}  // namespace

std::vector<fs::path> recipe_folders() {
  std::vector<fs::path> folders;
  if (const char* listed = std::getenv("ETALON_RECIPES"); listed != nullptr)
    for (const std::string_view folder : base::split(listed, ':'))
      if (!folder.empty()) folders.emplace_back(folder);
  if (const fs::path root = base::source_root(); !root.empty()) folders.push_back(root / "recipes");
  if (const fs::path config = base::config_folder(); !config.empty()) folders.push_back(config / "recipes");
  folders.push_back(base::share_folder() / "recipes");
  return folders;
}

std::vector<FoundRecipe> list_recipes() {
  std::vector<FoundRecipe> list;
  for (const auto& [name, file] : recipes_by_name()) list.push_back({name, file, title_of(file)});
  return list;
}

RequestedRecipe load(const std::string& name_or_path) {
  if (name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".toml")) return read_recipe(name_or_path);
  const auto found = recipes_by_name();
  const auto recipe = found.find(name_or_path);
  if (recipe == found.end()) throw no_such_recipe(name_or_path, found);
  return read_recipe(recipe->second);
}

}  // namespace etalon::recipe
