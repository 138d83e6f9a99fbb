// SPDX-License-Identifier: Apache-2.0
// What limits this run, in words with the evidence; what the dossier does not show is named as not known.
#include "report/limits.h"

#include "report/sections/catalog.h"

namespace etalon::report {

namespace {

const char* in_words(Bearing bearing) {
  return bearing == Bearing::limits ? "limits" : bearing == Bearing::does_not ? "does not limit" : "not known";
}

Section section(const Material& material) {
  Section section{"What limits this run", {}};
  if (material.launches.empty()) return section;
  const std::vector<Limit> limits = find_limits(material);
  std::string found;
  Table table{{"What", "Bearing", "Evidence"}, {}};
  for (const Limit& limit : limits) {
    table.rows.push_back({limit.what, in_words(limit.bearing), limit.evidence});
    if (limit.bearing == Bearing::limits) found += (found.empty() ? "" : ", ") + limit.what;
  }
  section.blocks.emplace_back(
      Paragraph{found.empty() ? "The dossier shows nothing that holds this run back but the computing itself."
                              : "Found: " + found + "."});
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace

SectionMaker make_limits() { return {"limits", "what holds the run back, with the evidence", section}; }

}  // namespace etalon::report
