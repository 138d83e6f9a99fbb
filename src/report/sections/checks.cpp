// SPDX-License-Identifier: Apache-2.0
// What preflight looked at before the start.
#include "report/sections/catalog.h"

namespace etalon::report {

namespace {

Section section(const dossier::Dossier& dossier) {
  Section section{"Checks before the start", {}};
  const auto findings = dossier.preflight.is_object() ? dossier.preflight.find("findings") : dossier.preflight.end();
  if (!dossier.preflight.is_object() || findings == dossier.preflight.end() || !findings->is_array()) {
    section.blocks.emplace_back(Paragraph{"None are recorded."});
    return section;
  }
  Table table{{"Check", "Title", "Result", "Found", "Why", "Remedy"}, {}};
  for (const base::Json& finding : *findings) {
    std::vector<std::string> row;
    for (const char* name : {"id", "title", "level", "evidence", "reason", "remedy"}) {
      const auto member = finding.is_object() ? finding.find(name) : finding.end();
      row.push_back(finding.is_object() && member != finding.end() && member->is_string() ? member->get<std::string>()
                                                                                          : "");
    }
    table.rows.push_back(std::move(row));
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace

SectionMaker make_checks() { return {"checks", "what preflight found before the start", section}; }

}  // namespace etalon::report
