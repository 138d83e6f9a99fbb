// SPDX-License-Identifier: Apache-2.0
// Power as it was read, and where only a counter of energy was, the mean between its readings.
#include <algorithm>

#include <fmt/format.h>

#include "report/charts/catalog.h"
#include "report/charts/channels.h"

namespace etalon::report {

namespace {

constexpr double least_seconds = 1;  // counters advance in steps of up to 0.1 s: shorter means would show those

/// Mean power between readings of a counter in microjoules.
std::vector<Point> power_of(const std::vector<Point>& energy) {
  std::vector<Point> watts;
  Point before = energy.front();
  for (const Point& point : energy) {
    if (point.x - before.x < least_seconds) continue;
    if (point.y >= before.y) watts.push_back({point.x, (point.y - before.y) / 1e6 / (point.x - before.x)});
    before = point;
  }
  return watts;
}

/// Adds a line to the launch's panel, which is made when there is none.
void add(TimeChart& chart, const LaunchSeries& launch, Line line) {
  auto panel = std::ranges::find(chart.launches, &launch, &LaunchLines::launch);
  if (panel == chart.launches.end()) panel = chart.launches.insert(panel, {&launch, {}});
  chart.description += fmt::format(" Launch {}: {}.", launch.launch, range_in_words(line, "W"));
  panel->lines.push_back(std::move(line));
}

std::optional<Chart> chart(const Material& material) {
  TimeChart chart = channel_chart(material, {"power", "Power", "W", "watts", 1, true, "W"})
                        .value_or(TimeChart{"power", "Power", "W", "", {}, true});
  for (const LaunchSeries& launch : material.launches)
    for (const ChannelSeries& series : launch.channels) {
      if (series.channel.unit != "microjoules" || series.points.size() < 2) continue;
      std::vector<Point> watts = power_of(series.points);
      if (!watts.empty()) add(chart, launch, {series.channel.meaning + ", mean power", std::move(watts)});
    }
  if (chart.launches.empty()) return std::nullopt;
  return draw(chart);
}

}  // namespace

ChartMaker make_power_chart() { return {"power", "power over time", chart}; }

}  // namespace etalon::report
