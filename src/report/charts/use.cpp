// SPDX-License-Identifier: Apache-2.0
// Shares of time: processors in use, waiting for them, for memory, for discs.
#include "report/charts/catalog.h"
#include "report/charts/channels.h"

namespace etalon::report {

namespace {

std::optional<Chart> chart(const Material& material) {
  const auto chart = channel_chart(material, {"use", "Use of the machine", "%", "percent", 1, true, "%"});
  return chart ? std::optional(draw(*chart)) : std::nullopt;
}

}  // namespace

ChartMaker make_use_chart() { return {"use", "how busy the machine was over time", chart}; }

}  // namespace etalon::report
