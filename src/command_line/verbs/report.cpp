// SPDX-License-Identifier: Apache-2.0
// `etalon report DOSSIER`: makes the report anew from what the dossier holds.
#include <iostream>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/text.h"
#include "command_line/verbs/catalog.h"
#include "report/report.h"

namespace etalon::command_line {

namespace {

struct ReportOptions {
  std::string folder;
  std::vector<std::string> formats;
  bool print = false;
};

void print_report(const dossier::Dossier& dossier, const std::vector<std::string>& formats) {
  if (formats.size() > 1)
    throw base::Error(base::ExitCode::usage, "--print writes one report, and several --format are given",
                      "give one, or leave --print out");
  std::cout << report::make(dossier, formats.empty() ? "md" : formats.front());
}

void write_report(const dossier::Dossier& dossier, const std::vector<std::string>& formats) {
  const report::Written written = report::write(dossier, formats.empty() ? report::usual_formats : formats);
  for (const std::filesystem::path& file : written.files) std::cout << file.string() << "\n";
  if (!written.problem.empty()) std::cerr << "warning: " << written.problem << "\n";
}

Action define_report(CLI::App& app) {
  const auto options = std::make_shared<ReportOptions>();
  std::vector<std::string> names;
  for (const auto& [name, meaning] : report::list_formats()) names.push_back(name);
  app.add_option("DOSSIER", options->folder, "a dossier folder")->required();
  app.add_option("--format", options->formats, base::join(names, ", ") + " (default: html and md); may be repeated")
      ->check(CLI::IsMember(names))
      ->type_name("FORMAT")
      ->allow_extra_args(false);
  app.add_flag("--print", options->print, "write to standard output instead of into the dossier (default: md)");
  return [options](const Invocation&) {
    const dossier::Dossier dossier = dossier::load(options->folder);
    options->print ? print_report(dossier, options->formats) : write_report(dossier, options->formats);
    return base::ExitCode::ok;
  };
}

}  // namespace

Verb make_report() {
  return {.name = "report",
          .summary = "make a dossier's report anew",
          .description =
              "Writes report.html (one page that needs nothing else) and report.md (with pictures in report-charts) "
              "from the "
              "dossier alone: reports are derived, outside the manifest, and may be remade at will. Without the charts "
              "tool "
              "they hold words and tables, and say so.",
          .examples = {"etalon report dossiers/20261201-123456-nano",
                       "etalon report --format json --print dossiers/20261201-123456-nano"},
          .define = define_report};
}

}  // namespace etalon::command_line
