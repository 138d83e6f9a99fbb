// SPDX-License-Identifier: Apache-2.0
// The thread that samples all sources at a fixed rate; rows are handed over through a bounded queue.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "measure/source.h"

namespace etalon::measure {

struct TelemetryRow {
  std::int64_t time_ns = 0;
  std::vector<std::optional<double>> cells;
};

class Telemetry {
 public:
  /// Starts sampling at once.
  Telemetry(std::vector<std::unique_ptr<Source>> sources, double interval_seconds);
  ~Telemetry();
  Telemetry(const Telemetry&) = delete;
  Telemetry& operator=(const Telemetry&) = delete;

  const std::vector<Channel>& channels() const;
  /// Rows since the last call.
  std::vector<TelemetryRow> take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace etalon::measure
