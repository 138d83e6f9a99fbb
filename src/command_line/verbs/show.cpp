// SPDX-License-Identifier: Apache-2.0
// `etalon show RECIPE`: every value that a run would use, and where each came from.
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/text.h"
#include "command_line/run_options.h"
#include "command_line/verbs/catalog.h"
#include "pipeline.h"

namespace etalon::command_line {

namespace {

std::string origin_text(const recipe::Origin& origin) {
  return origin.place.empty() ? origin.kind : fmt::format("{} {}", origin.kind, origin.place);
}

/// "training.optimizer.lr" looked up in the nested values.
const base::Json& value_at(const base::Json& values, const std::string& key) {
  const base::Json* value = &values;
  for (const std::string_view part : base::split(key, '.')) value = &value->at(std::string(part));
  return *value;
}

void print(const pipeline::Plan& plan) {
  const base::Json values = recipe::to_json(plan.resolved.recipe);
  std::vector<std::vector<std::string>> rows;
  for (const recipe::KeyDescription& key : recipe::describe_keys())
    rows.push_back(
        {key.key, base::to_line(value_at(values, key.key)), key.unit, origin_text(plan.resolved.origins.at(key.key))});
  std::cout << fmt::format("recipe {} – {}\n", plan.resolved.name, plan.resolved.recipe.title) << base::columns(rows);
}

Action define_show(CLI::App& app) {
  const auto request = std::make_shared<pipeline::RunRequest>();
  const auto json = std::make_shared<bool>(false);
  add_recipe_options(app, *request);
  app.add_flag("--json", *json, "print as recipe.resolved.json");
  return [request, json](const Invocation&) {
    const pipeline::Plan plan = pipeline::plan(*request);
    if (*json) {
      std::cout << base::to_document(recipe::to_json(plan.resolved));
    } else {
      print(plan);
    }
    return base::ExitCode::ok;
  };
}

}  // namespace

Verb make_show() {
  return {.name = "show",
          .summary = "show a recipe as it would run here, with the origin of every value",
          .description =
              "Resolves a recipe on this machine and prints every value with its origin: built-in, machine, profile, "
              "configuration, recipe (file and line) or command line.",
          .examples = {"etalon show nano", "etalon show llm-125m --set training.micro_batch=4 --json"},
          .define = define_show,
          .takes_recipe = true};
}

}  // namespace etalon::command_line
