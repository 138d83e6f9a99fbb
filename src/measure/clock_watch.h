// SPDX-License-Identifier: Apache-2.0
// Notices when somebody steps the wall clock during a run: results rest on CLOCK_MONOTONIC, but the record should say so.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace etalon::measure {

class ClockWatch {
 public:
  /// `offset_ns`: wall clock minus monotonic clock.
  explicit ClockWatch(std::int64_t offset_ns) : offset_ns_(offset_ns) {}

  /// By how many seconds the wall clock has jumped since the last report, once that is more than one.
  std::optional<double> stepped(std::int64_t offset_ns) {
    const std::int64_t change_ns = offset_ns - offset_ns_;
    if (change_ns <= 1'000'000'000 && change_ns >= -1'000'000'000) return std::nullopt;
    offset_ns_ = offset_ns;
    return base::seconds(change_ns);
  }

 private:
  std::int64_t offset_ns_;
};

}  // namespace etalon::measure
