// SPDX-License-Identifier: Apache-2.0
// Temperatures of whatever the machine let us read.
#include "report/charts/catalog.h"
#include "report/charts/channels.h"

namespace etalon::report {

namespace {

std::optional<Chart> chart(const Material& material) {
  const auto chart = channel_chart(material, {"temperature", "Temperatures", "°C", "celsius", 1, false, "°C"});
  return chart ? std::optional(draw(*chart)) : std::nullopt;
}

}  // namespace

ChartMaker make_temperature_chart() { return {"temperature", "temperatures over time", chart}; }

}  // namespace etalon::report
