// SPDX-License-Identifier: Apache-2.0
// Memory of host and cards as telemetry saw it, and the peak that the worker's allocator reported.
#include <algorithm>

#include <fmt/format.h>

#include "report/charts/catalog.h"
#include "report/charts/channels.h"

namespace etalon::report {

namespace {

constexpr double gigabytes = 1e-9;

void add_device_memory(TimeChart& chart, const LaunchSeries& launch) {
  if (launch.device_memory.empty()) return;
  Line line{"reserved by the worker on a device, peak", launch.device_memory};
  for (Point& point : line.points) point.y *= gigabytes;
  chart.description += fmt::format(" Launch {}: {}.", launch.launch, range_in_words(line, "GB"));
  auto panel = std::ranges::find(chart.launches, &launch, &LaunchLines::launch);
  if (panel == chart.launches.end()) panel = chart.launches.insert(panel, {&launch, {}});
  panel->lines.push_back(std::move(line));
}

std::optional<Chart> chart(const Material& material) {
  TimeChart chart = channel_chart(material, {"memory", "Memory", "GB", "bytes", gigabytes, true, "GB", "_available_"})
                        .value_or(TimeChart{"memory", "Memory", "GB", "", {}, true});
  for (const LaunchSeries& launch : material.launches) add_device_memory(chart, launch);
  if (chart.launches.empty()) return std::nullopt;
  return draw(chart);
}

}  // namespace

ChartMaker make_memory_chart() { return {"memory", "memory in use over time", chart}; }

}  // namespace etalon::report
