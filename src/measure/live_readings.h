// SPDX-License-Identifier: Apache-2.0
// The machine's sensors for somebody watching: one value per label, energy counters as power.
#pragma once

#include <optional>
#include <vector>

#include "measure/measure.h"
#include "measure/telemetry.h"

namespace etalon::measure {

class LiveReadings {
 public:
  /// `channels` as they were given to the recorder: those with state "value" are the cells of a row.
  explicit LiveReadings(const std::vector<Channel>& channels);
  void add(const TelemetryRow& row);
  /// One per label, in the order of the channels: the largest of its channels, of energy counters the sum of their power.
  std::vector<Reading> latest() const;

 private:
  struct Cell {
    Channel channel;
    std::optional<double> value;      // of the last row that had one; watts for an energy counter
    std::optional<double> energy_uj;  // the counter itself, of the row before
  };
  static std::optional<double> power_watts(Cell& cell, double energy_uj, double seconds);

  std::vector<Cell> cells_;
  std::int64_t last_ns_ = 0;
};

}  // namespace etalon::measure
