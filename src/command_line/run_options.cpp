// SPDX-License-Identifier: Apache-2.0
#include "command_line/run_options.h"

#include <CLI/CLI.hpp>

#include "pipeline.h"

namespace etalon::command_line {

void add_recipe_options(CLI::App& app, pipeline::RunRequest& request) {
  app.add_option("RECIPE", request.recipe,
                 "a name of `etalon list recipes`, or a .toml file (default: llm-125m with an NVIDIA GPU, else nano)");
  app.add_option("--set", request.assignments, "override one key, e.g. training.micro_batch=4; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace etalon::command_line
