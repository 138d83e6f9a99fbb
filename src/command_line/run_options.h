// SPDX-License-Identifier: Apache-2.0
// Options that several verbs share: which recipe, and what is overridden.
#pragma once

namespace CLI {
class App;
}

namespace etalon::pipeline {
struct RunRequest;
}

namespace etalon::command_line {

/// RECIPE and --set. The request must outlive the parsing.
void add_recipe_options(CLI::App& app, pipeline::RunRequest& request);

}  // namespace etalon::command_line
