// SPDX-License-Identifier: Apache-2.0
// Every chart of the catalogue for which the dossier has series.
#include "report/charts/catalog.h"
#include "report/sections/catalog.h"

namespace etalon::report {

namespace {

Section section(const Material& material) {
  Section section{"Over time", {}};
  for (const ChartMaker& maker : all_charts())
    if (std::optional<Chart> chart = maker.make(material)) section.blocks.emplace_back(std::move(*chart));
  if (section.blocks.empty()) return section;
  section.blocks.insert(
      section.blocks.begin(),
      Paragraph{"Grey ground is warm-up, green ground the measured window; dashed lines show where gates opened. Long "
                "series are "
                "drawn by the lowest and the highest value of every stretch; figures are computed from all of them."});
  return section;
}

}  // namespace

SectionMaker make_charts() { return {"charts", "throughput, loss, step times and telemetry as charts", section}; }

}  // namespace etalon::report
