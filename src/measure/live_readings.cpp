// SPDX-License-Identifier: Apache-2.0
#include "measure/live_readings.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"

namespace etalon::measure {

namespace {

bool counts_energy(const Channel& channel) { return channel.unit == "microjoules"; }

}  // namespace

LiveReadings::LiveReadings(const std::vector<Channel>& channels) {
  for (const Channel& channel : channels)
    if (channel.state == "value") cells_.push_back({channel, {}, {}});
}

std::optional<double> LiveReadings::power_watts(Cell& cell, double energy_uj, double seconds) {
  const std::optional<double> before_uj = std::exchange(cell.energy_uj, energy_uj);
  if (!before_uj || seconds <= 0 || energy_uj < *before_uj) return std::nullopt;
  return (energy_uj - *before_uj) / 1e6 / seconds;
}

void LiveReadings::add(const TelemetryRow& row) {
  const double seconds = base::seconds(row.time_ns - std::exchange(last_ns_, row.time_ns));
  for (std::size_t index = 0; index < std::min(cells_.size(), row.cells.size()); ++index) {
    Cell& cell = cells_[index];
    if (!row.cells[index]) {
      cell.energy_uj.reset();  // the next difference would span two rows
      continue;
    }
    cell.value = counts_energy(cell.channel) ? power_watts(cell, *row.cells[index], seconds) : row.cells[index];
  }
}

std::vector<Reading> LiveReadings::latest() const {
  std::vector<Reading> readings;
  for (const Cell& cell : cells_) {
    if (cell.channel.live.empty() || !cell.value) continue;
    const bool is_power = counts_energy(cell.channel);
    const auto same = std::ranges::find(readings, cell.channel.live, &Reading::label);
    if (same == readings.end()) {
      readings.push_back({cell.channel.live, *cell.value, is_power ? "watts" : cell.channel.unit});
    } else {
      same->value = is_power ? same->value + *cell.value : std::max(same->value, *cell.value);
    }
  }
  return readings;
}

}  // namespace etalon::measure
