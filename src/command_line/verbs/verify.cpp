// SPDX-License-Identifier: Apache-2.0
// `etalon verify DOSSIER…`: recomputes what a dossier claims.
#include <iostream>
#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/json.h"
#include "command_line/verbs/catalog.h"
#include "dossier/verify.h"

namespace etalon::command_line {

namespace {

using dossier::Verification;

struct StateText {
  std::string name;
  std::string sentence;
  base::ExitCode code;
};

const StateText& text_of(Verification::State state) {
  static const std::map<Verification::State, StateText> texts{
      {Verification::State::whole, {"whole", "whole: everything agrees with the raw data", base::ExitCode::ok}},
      {Verification::State::interrupted,
       {"interrupted", "interrupted: never sealed; what was recorded is listed, nothing of it is a result",
        base::ExitCode::interrupted}},
      {Verification::State::deviating,
       {"deviating", "DEVIATING: do not trust it", base::ExitCode::verification_failed}},
  };
  return texts.at(state);
}

base::Json to_json(const std::string& folder, const Verification& verification) {
  base::Json findings = base::Json::array();
  for (const dossier::Finding& finding : verification.findings)
    findings.push_back({{"place", finding.place}, {"problem", finding.problem}});
  return {{"dossier", folder},
          {"state", text_of(verification.state).name},
          {"checked", verification.checked},
          {"remarks", verification.remarks},
          {"findings", findings}};
}

void print(const std::string& folder, const Verification& verification) {
  std::cout << fmt::format("{}: {}\n", folder, text_of(verification.state).sentence);
  for (const std::string& line : verification.checked) std::cout << "  checked  " << line << "\n";
  for (const std::string& line : verification.remarks) std::cout << "  remark   " << line << "\n";
  for (const dossier::Finding& finding : verification.findings)
    std::cout << fmt::format("  FINDING  {}: {}\n", finding.place, finding.problem);
}

/// The worst of several: deviating over interrupted over whole.
base::ExitCode worse(base::ExitCode left, base::ExitCode right) {
  if (left == base::ExitCode::verification_failed || right == base::ExitCode::ok) return left;
  return right;
}

Action define_verify(CLI::App& app) {
  const auto folders = std::make_shared<std::vector<std::string>>();
  const auto json = std::make_shared<bool>(false);
  app.add_option("DOSSIER", *folders, "one or more dossier folders")->required();
  app.add_flag("--json", *json, "one JSON object per dossier and line");
  return [folders, json](const Invocation&) {
    base::ExitCode code = base::ExitCode::ok;
    for (const std::string& folder : *folders) {
      const Verification verification = dossier::verify(folder);
      if (*json) {
        std::cout << base::to_line(to_json(folder, verification)) << "\n";
      } else {
        print(folder, verification);
      }
      code = worse(code, text_of(verification.state).code);
    }
    return code;
  };
}

}  // namespace

Verb make_verify() {
  return {.name = "verify",
          .summary = "recompute a dossier from its raw data and check every claim",
          .description =
              "Checks hashes and structure, and recomputes every headline value bit for bit from the recorded steps. "
              "Exit code 0: whole; 6: something deviates, each deviation is named; 130: the run was killed before it "
              "could seal its dossier.",
          .examples = {"etalon verify dossiers/20261201-123456-nano"},
          .define = define_verify};
}

}  // namespace etalon::command_line
