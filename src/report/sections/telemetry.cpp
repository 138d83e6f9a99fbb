// SPDX-License-Identifier: Apache-2.0
// What the machine did while the window was measured: extremes and mean of every channel; and what it did not tell.
#include <fmt/format.h>

#include "base/number.h"
#include "report/sections/catalog.h"
#include "report/values.h"

namespace etalon::report {

namespace {

std::vector<std::string> row_of(const ChannelSeries& series) {
  const measure::Channel& channel = series.channel;
  const Summary& summary = series.summary;
  if (summary.count == 0) return {channel.name, "no reading", "", "", channel.unit, channel.meaning};
  const auto number = [](double value) { return base::to_human(value, 4); };
  return {channel.name, number(summary.lowest), number(summary.mean()), number(summary.highest),
          channel.unit, channel.meaning};
}

void add_launch(const LaunchSeries& launch, Section& section) {
  if (!launch.problem.empty())
    section.blocks.emplace_back(
        Paragraph{fmt::format("Launch {}: its series cannot be read: {}", launch.launch, launch.problem)});
  std::string scope = "whole launch, no window was reached";
  if (launch.window)
    scope = fmt::format("window of {} s", base::to_human(launch.window->end_seconds - launch.window->start_seconds, 4));
  Table table{{fmt::format("Launch {}: {}", launch.launch, scope), "Lowest", "Mean", "Highest", "Unit", "Meaning"}, {}};
  for (const ChannelSeries& series : launch.channels) table.rows.push_back(row_of(series));
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
}

void add_missing(const dossier::LaunchRecord& launch, Section& section) {
  Table table{{"Not available", "State", "Reason", "Meaning"}, {}};
  for (const measure::Channel& channel : launch.outcome.channels)
    if (channel.state != "value") table.rows.push_back({channel.name, channel.state, channel.reason, channel.meaning});
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
}

Section section(const Material& material) {
  Section section{"Telemetry", {}};
  for (const LaunchSeries& launch : material.launches) add_launch(launch, section);
  if (!material.dossier.launches.empty()) add_missing(material.dossier.launches.front(), section);
  return section;
}

}  // namespace

SectionMaker make_telemetry() {
  return {"telemetry", "lowest, mean and highest of every channel in the window, and the channels without values",
          section};
}

}  // namespace etalon::report
