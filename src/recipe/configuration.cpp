// SPDX-License-Identifier: Apache-2.0
// The user's own settings: one table says which there are, in config.toml and in the environment.
#include <algorithm>
#include <cstdlib>
#include <functional>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/text.h"
#include "recipe/find.h"
#include "recipe/toml_file.h"
#include "recipe/written.h"

namespace etalon::recipe {

namespace {

using base::Error;
using base::ExitCode;
namespace fs = std::filesystem;

constexpr std::string_view recipe_table = "recipe";

struct Setting {
  SettingDescription description;
  bool is_switch;
  void (*apply)(Configuration&, const std::string&);  // a switch is given "true" or "false"
};

fs::path expanded(const std::string& text) {
  const char* home = std::getenv("HOME");
  if (text.starts_with("~/") && home != nullptr && *home != '\0') return fs::path(home) / text.substr(2);
  return text;
}

const std::vector<Setting>& settings() {
  static const std::vector<Setting> table = {
      {{"output", "ETALON_OUTPUT", "dossiers", "folder in which each run makes its dossier"},
       false,
       [](Configuration& configuration, const std::string& text) { configuration.output_folder = expanded(text); }},
      {{"default_recipe", "ETALON_RECIPE", "", "recipe of a `run` without one; else the machine decides"},
       false,
       [](Configuration& configuration, const std::string& text) { configuration.default_recipe = text; }},
      {{"worker", "ETALON_WORKER", "", "the etalon-torch to use; else the one beside etalon, else the one in PATH"},
       false,
       [](Configuration& configuration, const std::string& text) { configuration.worker = expanded(text); }},
      {{"identify", "ETALON_IDENTIFY", "false", "keep host and user names in dossiers instead of pseudonyms"},
       true,
       [](Configuration& configuration, const std::string& text) { configuration.identify = text == "true"; }},
  };
  return table;
}

Error unknown_setting(const std::string& name, const std::string& where) {
  std::vector<std::string> known{std::string(recipe_table)};
  for (const Setting& setting : settings()) known.push_back(setting.description.name);
  const std::string meant = name.size() > 100 ? "" : base::nearest(name, known);
  return Error(ExitCode::usage, fmt::format("{}: there is no setting {}", where, base::printable(name, 100)),
               fmt::format("{}the settings are {}", meant.empty() ? "" : fmt::format("did you mean {}? ", meant),
                           base::join(known, ", ")));
}

void apply_entry(Configuration& configuration, const Entry& entry, const std::string& where) {
  const auto setting = std::find_if(settings().begin(), settings().end(),
                                    [&](const Setting& candidate) { return candidate.description.name == entry.name; });
  if (setting == settings().end()) throw unknown_setting(entry.name, where);
  const bool fits = setting->is_switch ? entry.value.is_boolean()
                                       : entry.value.is_string() && !entry.value.get_ref<const std::string&>().empty();
  if (!fits)
    throw Error(
        ExitCode::usage,
        fmt::format("{}: {} must be {}", where, entry.name, setting->is_switch ? "true or false" : "a text in quotes"),
        fmt::format("{}: {}", entry.name, setting->description.meaning));
  const std::string text =
      setting->is_switch ? (entry.value.get<bool>() ? "true" : "false") : entry.value.get<std::string>();
  setting->apply(configuration, text);
}

void apply_file(Configuration& configuration, const fs::path& file) {
  const std::string place = file.string();
  const std::string prefix = std::string(recipe_table) + ".";
  std::vector<Entry> recipe_entries;
  for (Entry& entry : read_toml(base::read_file(file, largest_toml_bytes), place)) {
    if (entry.name.starts_with(prefix)) {
      entry.name.erase(0, prefix.size());
      recipe_entries.push_back(std::move(entry));
    } else if (entry.name == recipe_table) {
      if (!entry.table)
        throw Error(ExitCode::usage, fmt::format("{}:{}: recipe must be a table of recipe keys", place, entry.line),
                    "to choose the recipe of a plain `run`, write default_recipe = \"…\"");
    } else {
      apply_entry(configuration, entry, fmt::format("{}:{}", place, entry.line));
    }
  }
  configuration.recipe_values = written_values(recipe_entries, place, "configuration");
}

void apply_environment(Configuration& configuration) {
  for (const Setting& setting : settings()) {
    const std::string& variable = setting.description.variable;
    const char* found = std::getenv(variable.c_str());
    if (found == nullptr || *found == '\0') continue;
    std::string text = found;
    if (setting.is_switch && (text == "1" || text == "0")) text = text == "1" ? "true" : "false";
    if (setting.is_switch && text != "true" && text != "false")
      throw Error(
          ExitCode::usage,
          fmt::format("environment: {} must be 1, 0, true or false, not \"{}\"", variable, base::printable(text, 80)),
          fmt::format("{}: {}", variable, setting.description.meaning));
    setting.apply(configuration, text);
  }
}

}  // namespace

Configuration load_configuration() {
  Configuration configuration;
  for (const Setting& setting : settings())
    if (!setting.description.built_in.empty()) setting.apply(configuration, setting.description.built_in);
  const fs::path folder = base::config_folder();
  std::error_code error;
  if (!folder.empty() && fs::exists(folder / "config.toml", error)) {
    configuration.file = folder / "config.toml";
    apply_file(configuration, *configuration.file);
  }
  apply_environment(configuration);
  return configuration;
}

std::vector<SettingDescription> describe_settings() {
  std::vector<SettingDescription> descriptions;
  for (const Setting& setting : settings()) descriptions.push_back(setting.description);
  return descriptions;
}

}  // namespace etalon::recipe
