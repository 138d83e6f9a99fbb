// SPDX-License-Identifier: Apache-2.0
// The thread that samples all sources at a fixed rate; rows are handed over through a bounded queue.
#pragma once

#include <cstddef>
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
  /// Rows kept for the next take(): ten minutes at ten a second, a few MB.
  static constexpr std::size_t default_capacity = 6000;

  /// Starts sampling at once, then at multiples of the interval (CLOCK_MONOTONIC): a late row delays none of the next, and
  /// moments missed altogether (a suspended machine) are left out. Throws std::invalid_argument for an interval that is
  /// not positive.
  Telemetry(std::vector<std::unique_ptr<Source>> sources, double interval_seconds,
            std::size_t capacity = default_capacity);
  ~Telemetry();
  Telemetry(const Telemetry&) = delete;
  Telemetry& operator=(const Telemetry&) = delete;

  const std::vector<Channel>& channels() const;
  /// Rows since the last call; cells are those of the channels with state "value", in their order.
  std::vector<TelemetryRow> take();
  /// Rows thrown away, oldest first, because nobody took them in time.
  std::uint64_t dropped() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace etalon::measure
