// SPDX-License-Identifier: Apache-2.0
// `etalon run [RECIPE]`: measures, and leaves a sealed dossier.
#include <CLI/CLI.hpp>

#include "command_line/display.h"
#include "command_line/run_options.h"
#include "command_line/signals.h"
#include "command_line/verbs/catalog.h"

namespace etalon::command_line {

namespace {

struct Options {
  pipeline::RunRequest request;
  std::string output;
  bool dry_run = false;
  bool json = false;
  bool quiet = false;
};

base::ExitCode dry_run(const pipeline::Plan& plan, Display& display) {
  display.planned(plan);
  const preflight::Preflight preflight =
      preflight::check({plan.resolved.recipe, plan.machine, plan.output, plan.worker});
  display.checked(preflight);
  return preflight.forbids_run() ? base::ExitCode::refused : base::ExitCode::ok;
}

base::ExitCode run(Options& options) {
  const Interrupts interrupts;
  if (!options.output.empty()) options.request.output = options.output;
  const std::unique_ptr<Display> display = options.json ? make_json_display() : make_text_display(options.quiet);
  const pipeline::Plan plan = pipeline::plan(options.request);
  if (options.dry_run) return dry_run(plan, *display);
  const pipeline::RunResult result = pipeline::run(plan, options.request, interrupts.descriptor(), *display);
  display->finished(result);
  return pipeline::exit_code(result.verdict);
}

Action define(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_recipe_options(app, options->request);
  app.add_option("-o,--output", options->output,
                 "folder of the dossier; must not exist (default: a fresh one below ./dossiers)")
      ->type_name("FOLDER");
  app.add_flag("--dry-run", options->dry_run, "resolve and check, say what would happen, start nothing");
  app.add_flag("--json", options->json, "print events as JSON lines; the last is the result");
  app.add_flag("--quiet", options->quiet, "print the result alone");
  app.add_flag("--identify", options->request.identify,
               "keep host and user names in the dossier instead of pseudonyms");
  return [options](const Invocation& typed) {
    options->request.command_line = typed;
    return run(*options);
  };
}

}  // namespace

Verb make_run() {
  return {.name = "run",
          .summary = "measure a recipe and leave a sealed dossier",
          .description =
              "Trains the recipe's model with real data, watches until the recipe's profile is satisfied, and writes a "
              "dossier "
              "that `etalon verify` recomputes. Ctrl-C once ends in order and seals what exists as interrupted; twice "
              "leaves at once.",
          .examples = {"etalon run", "etalon run nano --set measure.profile=smoke",
                       "etalon run my-recipe.toml --output results/mine"},
          .define = define};
}

}  // namespace etalon::command_line
