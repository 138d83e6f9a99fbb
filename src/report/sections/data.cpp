// SPDX-License-Identifier: Apache-2.0
// What the training waited for its data, and what the worker remarked about them.
#include <algorithm>

#include <fmt/format.h>

#include "base/csv.h"
#include "dossier/events.h"
#include "dossier/layout.h"
#include "dossier/window.h"
#include "report/sections/catalog.h"
#include "report/values.h"

namespace etalon::report {

namespace {

/// Of rank 0 in the window.
struct Waiting {
  std::int64_t steps = 0;  // that tell
  std::int64_t total_ns = 0;
  std::int64_t longest_ns = 0;
  std::int64_t longest_step = 0;
};

Waiting waiting_of(const std::filesystem::path& path, const measure::Window& window) {
  base::CsvReader reader(path);
  Waiting waiting;
  if (std::ranges::count(reader.header(), "data_wait_ns") == 0) return waiting;
  const std::size_t rank = reader.column("rank");
  const std::size_t index = reader.column("index");
  const std::size_t wait = reader.column("data_wait_ns");
  std::vector<std::string_view> cells;
  while (reader.next(cells)) {
    const std::int64_t step = reader.integer(cells, index);
    if (reader.integer(cells, rank) != 0 || step < window.first_step || step > window.last_step || cells[wait].empty())
      continue;
    const std::int64_t wait_ns = reader.integer(cells, wait);
    ++waiting.steps;
    waiting.total_ns += wait_ns;
    if (wait_ns > waiting.longest_ns) {
      waiting.longest_ns = wait_ns;
      waiting.longest_step = step;
    }
  }
  return waiting;
}

void add_launch(const dossier::Dossier& dossier, const dossier::LaunchRecord& launch, Table& table) {
  if (!launch.outcome.window) return;
  const std::filesystem::path folder = dossier.folder / launch.folder;
  const measure::Window& window = *launch.outcome.window;
  const Waiting waiting = waiting_of(folder / dossier::steps_file, window);
  if (waiting.steps == 0) return;
  const dossier::WindowSeries series = dossier::read_window(folder, window, dossier::read_events(folder));
  const auto measured_ns = static_cast<double>(series.end_ns - series.start_ns - series.excluded_ns);
  const auto milliseconds = [](std::int64_t duration_ns) {
    return with_unit(static_cast<double>(duration_ns) / 1e6, "ms", 3);
  };
  table.rows.push_back({std::to_string(launch.index),
                        with_unit(100 * static_cast<double>(waiting.total_ns) / measured_ns, "%", 3),
                        milliseconds(waiting.total_ns / waiting.steps),
                        fmt::format("{} (step {})", milliseconds(waiting.longest_ns), waiting.longest_step)});
}

Section section(const dossier::Dossier& dossier) {
  Section section{"Data", {}};
  Table table{{"Launch", "Of the window spent waiting for data (rank 0)", "Mean wait of a step", "Longest"}, {}};
  for (const dossier::LaunchRecord& launch : dossier.launches) {
    try {
      add_launch(dossier, launch, table);
    } catch (const std::exception& error) {
      section.blocks.emplace_back(Paragraph{fmt::format("Launch {}: {}", launch.index, error.what())});
    }
  }
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace

SectionMaker make_data() { return {"data", "how long training waited for its data", section}; }

}  // namespace etalon::report
