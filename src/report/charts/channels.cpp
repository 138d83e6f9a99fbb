// SPDX-License-Identifier: Apache-2.0
#include "report/charts/channels.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"

namespace etalon::report {

namespace {

constexpr std::size_t most_lines = 16;

/// "gpu_0_temperature_celsius" → "gpu 0 temperature": the unit stands at the axis.
std::string label_of(const measure::Channel& channel) {
  std::string label = channel.name;
  if (const std::string ending = "_" + channel.unit; label.ends_with(ending))
    label.resize(label.size() - ending.size());
  std::ranges::replace(label, '_', ' ');
  return label;
}

LaunchLines lines_of(const LaunchSeries& launch, const ChannelChart& chart, std::size_t& not_drawn) {
  LaunchLines lines{&launch, {}};
  for (const ChannelSeries& series : launch.channels) {
    if (series.channel.unit != chart.unit || series.points.empty()) continue;
    if (!chart.without.empty() && series.channel.name.find(chart.without) != std::string::npos) continue;
    if (lines.lines.size() == most_lines) {
      ++not_drawn;
      continue;
    }
    Line line{label_of(series.channel), series.points};
    for (Point& point : line.points) point.y *= chart.scale;
    lines.lines.push_back(std::move(line));
  }
  return lines;
}

std::string in_words(const LaunchLines& lines, const std::string& unit) {
  std::string text = fmt::format("Launch {}: ", lines.launch->launch);
  for (const Line& line : lines.lines) text += (&line == lines.lines.data() ? "" : "; ") + range_in_words(line, unit);
  return text + ".";
}

}  // namespace

std::string range_in_words(const Line& line, const std::string& unit) {
  const auto [lowest, highest] = std::ranges::minmax(line.points, {}, &Point::y);
  const std::string low = base::to_human(lowest.y, 3);
  const std::string high = base::to_human(highest.y, 3);
  if (low == high) return fmt::format("{} {} {} throughout", line.label, low, unit);
  return fmt::format("{} {} to {} {}", line.label, low, high, unit);
}

std::optional<TimeChart> channel_chart(const Material& material, const ChannelChart& chart) {
  TimeChart drawn{chart.name, chart.title, chart.axis, "", {}, chart.from_zero};
  std::size_t not_drawn = 0;
  for (const LaunchSeries& launch : material.launches) {
    LaunchLines lines = lines_of(launch, chart, not_drawn);
    if (lines.lines.empty()) continue;
    if (drawn.launches.size() < most_panels)
      drawn.description += (drawn.description.empty() ? "" : " ") + in_words(lines, chart.unit_in_words);
    drawn.launches.push_back(std::move(lines));
  }
  if (drawn.launches.empty()) return std::nullopt;
  if (not_drawn > 0)
    drawn.description += fmt::format(" {} more channels stand in the table of telemetry alone.", not_drawn);
  return drawn;
}

}  // namespace etalon::report
