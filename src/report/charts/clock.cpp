// SPDX-License-Identifier: Apache-2.0
// Clocks of processors and cards.
#include "report/charts/catalog.h"
#include "report/charts/channels.h"

namespace etalon::report {

namespace {

std::optional<Chart> chart(const Material& material) {
  const auto chart = channel_chart(material, {"clock", "Clocks", "MHz", "megahertz", 1, false, "MHz"});
  return chart ? std::optional(draw(*chart)) : std::nullopt;
}

}  // namespace

ChartMaker make_clock_chart() { return {"clock", "clocks over time", chart}; }

}  // namespace etalon::report
