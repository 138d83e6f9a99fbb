// SPDX-License-Identifier: Apache-2.0
// Where recipes are looked up by name, and the user's configuration.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "recipe/resolve.h"

namespace etalon::recipe {

struct FoundRecipe {
  std::string name;
  std::filesystem::path path;
  std::string title;  ///< for `list`; "(unreadable: …)" when it does not parse
};

/// Folders in the order of look-up: ETALON_RECIPES (colon-separated), the repository's recipes/, ~/.config/etalon/recipes, the installed share.
std::vector<std::filesystem::path> recipe_folders();

/// All recipes by name; an earlier folder hides a later one.
std::vector<FoundRecipe> list_recipes();

/// `name_or_path`: a path when it contains '/' or ends in ".toml", else a name. Throws Error(usage) with the nearest name.
RequestedRecipe load(const std::string& name_or_path);

/// ~/.config/etalon/config.toml and ETALON_* variables (a variable wins over the file, the command line over both).
/// Relative paths count from the working directory; "~/" is the home folder.
struct Configuration {
  std::optional<std::filesystem::path> file;    ///< the one read
  std::filesystem::path output_folder;          ///< where dossiers go: `output`, ETALON_OUTPUT; default ./dossiers
  std::optional<std::string> default_recipe;    ///< `default_recipe`, ETALON_RECIPE
  std::optional<std::filesystem::path> worker;  ///< `worker`, ETALON_WORKER: the etalon-torch to use
  bool identify = false;                        ///< `identify`, ETALON_IDENTIFY
  std::map<std::string, WrittenValue> recipe_values;  ///< table [recipe]: values under every recipe of this user
};

/// Throws Error(usage) naming file, line and the nearest setting for a key that config.toml should not have.
Configuration load_configuration();

/// For help and documents: one entry per setting.
struct SettingDescription {
  std::string name;      ///< in config.toml
  std::string variable;  ///< in the environment
  std::string built_in;
  std::string meaning;
};
std::vector<SettingDescription> describe_settings();

}  // namespace etalon::recipe
