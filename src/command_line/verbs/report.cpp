// SPDX-License-Identifier: Apache-2.0
// `etalon report DOSSIER`: makes report.md anew from what the dossier holds.
#include <iostream>

#include <CLI/CLI.hpp>

#include "command_line/verbs/catalog.h"
#include "report/report.h"

namespace etalon::command_line {

namespace {

Action define_report(CLI::App& app) {
  const auto folder = std::make_shared<std::string>();
  const auto print = std::make_shared<bool>(false);
  app.add_option("DOSSIER", *folder, "a dossier folder")->required();
  app.add_flag("--print", *print, "write to standard output instead of report.md in the dossier");
  return [folder, print](const Invocation&) {
    const dossier::Dossier dossier = dossier::load(*folder);
    if (*print) {
      std::cout << report::render_markdown(report::build_document(dossier));
    } else {
      std::cout << report::write_markdown(dossier).string() << "\n";
    }
    return base::ExitCode::ok;
  };
}

}  // namespace

Verb make_report() {
  return {.name = "report",
          .summary = "make a dossier's report anew",
          .description =
              "Writes report.md from the dossier alone: reports are derived, outside the manifest, and may be remade "
              "at will.",
          .examples = {"etalon report dossiers/20261201-123456-nano",
                       "etalon report --print dossiers/20261201-123456-nano"},
          .define = define_report};
}

}  // namespace etalon::command_line
