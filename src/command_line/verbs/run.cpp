// SPDX-License-Identifier: Apache-2.0
// `etalon run [RECIPE]`: measures, and leaves a sealed dossier.
#include <unistd.h>

#include <iostream>

#include <CLI/CLI.hpp>

#include "command_line/attached.h"
#include "command_line/detached.h"
#include "command_line/display.h"
#include "command_line/run_options.h"
#include "command_line/run_record.h"
#include "command_line/signals.h"
#include "command_line/text_view.h"
#include "command_line/verbs/catalog.h"

namespace etalon::command_line {

namespace {

struct RunOptions {
  pipeline::RunRequest request;
  std::string output;
  bool dry_run = false;
  bool json = false;
  bool quiet = false;
  bool detach = false;
};

base::ExitCode dry_run(const pipeline::Plan& plan, Display& display) {
  display.planned(plan);
  const preflight::Preflight preflight = pipeline::check(plan);
  display.checked(preflight);
  return preflight.forbids_run() ? base::ExitCode::refused : base::ExitCode::ok;
}

base::ExitCode carry_out(const pipeline::Plan& plan, const RunOptions& options, const Interrupts& interrupts,
                         Display& display) {
  const pipeline::RunResult result = pipeline::run(plan, options.request, interrupts.descriptor(), display);
  display.finished(result);
  return pipeline::exit_code(result.verdict);
}

base::ExitCode run_here(const RunOptions& options) {
  const Interrupts interrupts;
  Display display(options.json ? make_json_lines()
                               : make_text_view(text_view_settings(options.quiet), std::cerr, std::cout));
  const pipeline::Plan plan = pipeline::plan(options.request);
  return options.dry_run ? dry_run(plan, display) : carry_out(plan, options, interrupts, display);
}

/// What is wrong with the recipe is said here and now; what happens later is in the record.
base::ExitCode run_detached(const RunOptions& options) {
  const pipeline::Plan plan = pipeline::plan(options.request);
  auto record = std::make_unique<RunRecord>(run_records_folder(), plan.output.filename().string());
  const std::filesystem::path folder = record->folder();
  if (const pid_t child = continue_detached(folder / record_output); child > 0) {
    record.reset();
    return tell_of_start(folder, child, text_view_settings(options.quiet));
  }
  record->belongs_to(::getpid());
  const Interrupts interrupts;
  Display display(std::move(record));
  return carry_out(plan, options, interrupts, display);
}

Action define_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  add_recipe_options(app, options->request);
  app.add_option("-o,--output", options->output,
                 "folder of the dossier; must not exist (default: a fresh one below ./dossiers)")
      ->type_name("FOLDER");
  CLI::Option* dry =
      app.add_flag("--dry-run", options->dry_run, "resolve and check, say what would happen, start nothing");
  CLI::Option* json = app.add_flag("--json", options->json, "print events as JSON lines; the last is the result");
  app.add_flag("--quiet", options->quiet, "print the result alone");
  app.add_flag("--detach", options->detach, "go on without this terminal; `etalon attach` shows the run again")
      ->excludes(dry)
      ->excludes(json);
  app.add_flag("--identify", options->request.identify,
               "keep host and user names in the dossier instead of pseudonyms");
  return [options](const Invocation& typed) {
    options->request.command_line = typed;
    if (!options->output.empty()) options->request.output = options->output;
    return options->detach ? run_detached(*options) : run_here(*options);
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
              "leaves at once. With --detach the run outlives the terminal: `etalon attach` shows it again.",
          .examples = {"etalon run", "etalon run nano --set measure.profile=smoke", "etalon run llm-125m --detach",
                       "etalon run my-recipe.toml --output results/mine"},
          .define = define_run,
          .takes_recipe = true};
}

}  // namespace etalon::command_line
