// SPDX-License-Identifier: Apache-2.0
#include "report/document.h"

namespace etalon::report {

std::string to_text(Tone tone) { return tone == Tone::good ? "good" : tone == Tone::caution ? "caution" : "bad"; }

std::vector<const Panel*> panels_of(const Document& document) {
  std::vector<const Panel*> panels;
  for (const Section& section : document.sections)
    for (const Block& block : section.blocks)
      if (const Chart* chart = std::get_if<Chart>(&block))
        for (const Panel& panel : chart->panels) panels.push_back(&panel);
  return panels;
}

}  // namespace etalon::report
