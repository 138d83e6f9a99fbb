// SPDX-License-Identifier: Apache-2.0
// Throughput over the whole of every launch, as the means of batches of steps.
#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "report/charts/catalog.h"
#include "report/charts/specification.h"

namespace etalon::report {

namespace {

std::string in_words(const LaunchSeries& launch) {
  const auto [lowest, highest] = std::ranges::minmax(launch.throughput, {}, &Point::y);
  std::string text = fmt::format("Launch {}: means of {} steps between {} and {} {}s per second over {} s",
                                 launch.launch, launch.batch_steps, base::to_human(lowest.y, 4),
                                 base::to_human(highest.y, 4), launch.unit, base::to_human(launch.end_seconds, 3));
  if (launch.window)
    text += fmt::format("; measured from second {} to second {}: {}", base::to_human(launch.window->start_seconds, 3),
                        base::to_human(launch.window->end_seconds, 3),
                        base::to_human(launch.window->throughput.units_per_second.value, 5));
  return text + ".";
}

std::optional<Chart> chart(const Material& material) {
  TimeChart chart{"throughput", "Throughput", "", "", {}, false};
  for (const LaunchSeries& launch : material.launches) {
    if (launch.throughput.empty()) continue;
    chart.axis = launch.unit + "s per second";
    chart.launches.push_back({&launch, {{chart.axis, launch.throughput}}});
    if (chart.launches.size() <= most_panels)
      chart.description += (chart.description.empty() ? "" : " ") + in_words(launch);
  }
  if (chart.launches.empty()) return std::nullopt;
  return draw(chart);
}

}  // namespace

ChartMaker make_throughput_chart() { return {"throughput", "throughput of every launch over time", chart}; }

}  // namespace etalon::report
