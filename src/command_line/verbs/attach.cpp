// SPDX-License-Identifier: Apache-2.0
// `etalon attach [NAME]`: shows a run that was started with --detach.
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/text.h"
#include "command_line/attached.h"
#include "command_line/run_record.h"
#include "command_line/signals.h"
#include "command_line/text_view.h"
#include "command_line/verbs/catalog.h"

namespace etalon::command_line {

namespace {

struct AttachOptions {
  std::string name;
  bool stop = false;
  bool list = false;
  bool json = false;
};

base::ExitCode list_runs(const std::filesystem::path& parent) {
  std::vector<std::vector<std::string>> rows;
  for (const RecordedRun& run : recorded_runs(parent))
    rows.push_back({base::printable(run.name), run.running ? "running" : "ended", run.folder.string()});
  std::cout << (rows.empty() ? "no run was started with --detach\n" : base::columns(rows, ""));
  return base::ExitCode::ok;
}

base::ExitCode attach(const AttachOptions& options) {
  const std::filesystem::path parent = run_records_folder();
  if (options.list) return list_runs(parent);
  const RecordedRun run = find_run(parent, options.name);
  const Interrupts interrupts;
  if (options.stop) ask_to_stop(run);
  const std::unique_ptr<EventSink> sink =
      options.json ? make_json_lines() : make_text_view(text_view_settings(false), std::cerr, std::cout);
  const base::ExitCode code = follow(run, *sink, interrupts.descriptor());
  if (code == base::ExitCode::interrupted && recorded_as_running(run))
    std::cerr << fmt::format("\n{} goes on; etalon attach {} --stop ends it\n", base::printable(run.name),
                             base::printable(run.name));
  return code;
}

Action define_attach(CLI::App& app) {
  const auto options = std::make_shared<AttachOptions>();
  app.add_option("NAME", options->name, "name of the run (default: the newest that is running, else the newest)");
  app.add_flag("--stop", options->stop, "ask the run to end in order and seal what exists, as Ctrl-C would");
  app.add_flag("--list", options->list, "list the runs of this user that were started with --detach");
  app.add_flag("--json", options->json, "print the run's events as JSON lines, from the first on");
  return [options](const Invocation&) { return attach(*options); };
}

}  // namespace

Verb make_attach() {
  return {.name = "attach",
          .summary = "show a run that was started with --detach",
          .description =
              "Shows a detached run as if this terminal had started it, until its result, and ends with the run's exit "
              "code. Ctrl-C leaves the run alone and ends with 130.",
          .examples = {"etalon attach", "etalon attach --list", "etalon attach 20261201-123456-nano --stop"},
          .define = define_attach};
}

}  // namespace etalon::command_line
