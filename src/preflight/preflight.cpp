// SPDX-License-Identifier: Apache-2.0
#include "preflight/preflight.h"

#include <algorithm>
#include <array>

#include "preflight/checks/catalog.h"

namespace etalon::preflight {

std::string_view to_text(Level level) {
  constexpr std::array<std::string_view, 5> words{"pass", "info", "warn", "fail", "not checked"};
  return words.at(static_cast<std::size_t>(level));
}

bool Preflight::forbids_run() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.level == Level::fail; });
}

Preflight check(const Context& context) {
  Preflight preflight;
  for (const Check& check : make_checks()) {
    Finding finding = check.look(context);
    finding.id = check.id;
    finding.title = check.title;
    preflight.findings.push_back(std::move(finding));
  }
  return preflight;
}

std::vector<std::pair<std::string, std::string>> list_checks() {
  std::vector<std::pair<std::string, std::string>> list;
  for (const Check& check : make_checks()) list.emplace_back(check.id, check.title);
  return list;
}

base::Json to_json(const Preflight& preflight) {
  base::Json findings = base::Json::array();
  for (const Finding& finding : preflight.findings)
    findings.push_back({{"id", finding.id},
                        {"title", finding.title},
                        {"level", to_text(finding.level)},
                        {"evidence", finding.evidence},
                        {"reason", finding.reason},
                        {"remedy", finding.remedy}});
  return {{"forbids_run", preflight.forbids_run()}, {"findings", findings}};
}

}  // namespace etalon::preflight
