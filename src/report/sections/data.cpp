// SPDX-License-Identifier: Apache-2.0
// What the training waited for its data.
#include <fmt/format.h>

#include "report/sections/catalog.h"
#include "report/values.h"

namespace etalon::report {

namespace {

std::string milliseconds(std::int64_t duration_ns) {
  return with_unit(static_cast<double>(duration_ns) / 1e6, "ms", 3);
}

Section section(const Material& material) {
  Section section{"Data", {}};
  Table table{{"Launch", "Of the window spent waiting for data (rank 0)", "Mean wait of a step", "Longest"}, {}};
  for (const LaunchSeries& launch : material.launches) {
    if (!launch.window || launch.window->data_wait.steps == 0) continue;
    const DataWait& wait = launch.window->data_wait;
    const double share = static_cast<double>(wait.total_ns) / static_cast<double>(launch.window->duration_ns);
    table.rows.push_back({std::to_string(launch.launch), with_unit(100 * share, "%", 3),
                          milliseconds(wait.total_ns / wait.steps),
                          fmt::format("{} (step {})", milliseconds(wait.longest_ns), wait.longest_step)});
  }
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace

SectionMaker make_data() { return {"data", "how long training waited for its data", section}; }

}  // namespace etalon::report
