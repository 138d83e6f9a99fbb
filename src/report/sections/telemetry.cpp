// SPDX-License-Identifier: Apache-2.0
// What the machine did while the window was measured: extremes and mean of every channel; and what it did not tell.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/number.h"
#include "dossier/events.h"
#include "dossier/layout.h"
#include "dossier/window.h"
#include "report/sections/catalog.h"
#include "report/values.h"

namespace etalon::report {

namespace {

struct Summary {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  double sum = 0;
  std::int64_t count = 0;

  void add(double value) {
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
    sum += value;
    ++count;
  }
};

/// One summary per column after the time.
std::vector<Summary> summarise(const std::filesystem::path& path, std::int64_t start_ns, std::int64_t end_ns) {
  base::CsvReader reader(path);
  std::vector<Summary> summaries(reader.header().size() - 1);
  std::vector<std::string_view> cells;
  while (reader.next(cells)) {
    const std::int64_t time_ns = reader.integer(cells, 0);
    if (time_ns < start_ns || time_ns > end_ns) continue;
    for (std::size_t i = 1; i < cells.size(); ++i)
      if (!cells[i].empty()) summaries[i - 1].add(reader.real(cells, i));
  }
  return summaries;
}

std::vector<std::string> row_of(const measure::Channel& channel, const Summary& summary) {
  if (summary.count == 0) return {channel.name, "no reading", "", "", channel.unit, channel.meaning};
  const auto number = [](double value) { return base::to_human(value, 4); };
  return {channel.name,
          number(summary.lowest),
          number(summary.sum / static_cast<double>(summary.count)),
          number(summary.highest),
          channel.unit,
          channel.meaning};
}

void add_launch(const dossier::Dossier& dossier, const dossier::LaunchRecord& launch, Section& section) {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = std::numeric_limits<std::int64_t>::max();
  std::string scope = "whole launch, no window was reached";
  const std::filesystem::path folder = dossier.folder / launch.folder;
  if (launch.outcome.window) {
    const dossier::WindowSeries window =
        dossier::read_window(folder, *launch.outcome.window, dossier::read_events(folder));
    start_ns = window.start_ns;
    end_ns = window.end_ns;
    scope = fmt::format("window of {} s", base::to_human(static_cast<double>(end_ns - start_ns) / 1e9, 4));
  }
  const std::vector<Summary> summaries = summarise(folder / dossier::telemetry_file, start_ns, end_ns);
  Table table{{fmt::format("Launch {}: {}", launch.index, scope), "Lowest", "Mean", "Highest", "Unit", "Meaning"}, {}};
  std::size_t column = 0;
  for (const measure::Channel& channel : launch.outcome.channels)
    if (channel.state == "value" && column < summaries.size())
      table.rows.push_back(row_of(channel, summaries[column++]));
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
}

void add_missing(const dossier::LaunchRecord& launch, Section& section) {
  Table table{{"Not available", "State", "Reason", "Meaning"}, {}};
  for (const measure::Channel& channel : launch.outcome.channels)
    if (channel.state != "value") table.rows.push_back({channel.name, channel.state, channel.reason, channel.meaning});
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
}

Section section(const dossier::Dossier& dossier) {
  Section section{"Telemetry", {}};
  for (const dossier::LaunchRecord& launch : dossier.launches) {
    try {
      add_launch(dossier, launch, section);
    } catch (const std::exception& error) {
      section.blocks.emplace_back(
          Paragraph{fmt::format("Launch {}: its series cannot be read: {}", launch.index, error.what())});
    }
  }
  if (!dossier.launches.empty()) add_missing(dossier.launches.front(), section);
  return section;
}

}  // namespace

SectionMaker make_telemetry() {
  return {"telemetry", "lowest, mean and highest of every channel in the window, and the channels without values",
          section};
}

}  // namespace etalon::report
