// SPDX-License-Identifier: Apache-2.0
// `etalon list WHAT`: recipes, keys, sources, checks, sections, charts.
#include <iostream>
#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/json.h"
#include "base/text.h"
#include "command_line/verbs/catalog.h"
#include "measure/source.h"
#include "preflight/preflight.h"
#include "recipe/find.h"
#include "report/report.h"

namespace etalon::command_line {

namespace {

struct Listed {
  std::string name;
  std::string meaning;
};

std::vector<Listed> recipes() {
  std::vector<Listed> result;
  for (const recipe::FoundRecipe& found : recipe::list_recipes()) result.push_back({found.name, found.title});
  return result;
}

std::vector<Listed> keys() {
  std::vector<Listed> result;
  for (const recipe::KeyDescription& key : recipe::describe_keys())
    result.push_back({key.key, fmt::format("{}{}{}: {}", key.type, key.range.empty() ? "" : ", " + key.range,
                                           key.unit.empty() ? "" : ", in " + key.unit, key.meaning)});
  return result;
}

std::vector<Listed> paired(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<Listed> result;
  for (const auto& [name, meaning] : pairs) result.push_back({name, meaning});
  return result;
}

struct Listing {
  std::string meaning;
  std::function<std::vector<Listed>()> make;
};

const std::map<std::string, Listing>& listings() {
  static const std::map<std::string, Listing> all{
      {"recipes", {"what can be run", recipes}},
      {"keys", {"every key of a recipe", keys}},
      {"sources", {"what the telemetry samples", [] { return paired(measure::list_sources()); }}},
      {"checks", {"what preflight looks at", [] { return paired(preflight::list_checks()); }}},
      {"sections", {"what a report holds", [] { return paired(report::list_sections()); }}},
      {"charts", {"what a report draws", [] { return paired(report::list_charts()); }}},
  };
  return all;
}

void print(const std::vector<Listed>& entries, bool names_only, bool json) {
  base::Json array = base::Json::array();
  std::vector<std::vector<std::string>> rows;
  for (const Listed& entry : entries) {
    array.push_back({{"name", entry.name}, {"meaning", entry.meaning}});
    rows.push_back(names_only ? std::vector{entry.name} : std::vector{entry.name, base::printable(entry.meaning)});
  }
  std::cout << (json ? base::to_document(array) : base::columns(rows, names_only ? "" : "  "));
}

Action define_list(CLI::App& app) {
  const auto what = std::make_shared<std::string>("recipes");
  const auto names_only = std::make_shared<bool>(false);
  const auto json = std::make_shared<bool>(false);
  std::vector<std::string> choices;
  for (const auto& [name, listing] : listings()) choices.push_back(name);
  app.add_option("WHAT", *what, base::join(choices, ", ") + " (default: recipes)")->check(CLI::IsMember(choices));
  app.add_flag("--names", *names_only, "names alone, one per line");
  app.add_flag("--json", *json, "print as JSON");
  return [what, names_only, json](const Invocation&) {
    print(listings().at(*what).make(), *names_only, *json);
    return base::ExitCode::ok;
  };
}

}  // namespace

Verb make_list() {
  return {.name = "list",
          .summary = "list recipes, keys, sources, checks or sections",
          .description = "Lists what this build knows, from the same tables that the program uses.",
          .examples = {"etalon list", "etalon list keys"},
          .define = define_list};
}

}  // namespace etalon::command_line
