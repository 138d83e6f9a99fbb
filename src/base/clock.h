// SPDX-License-Identifier: Apache-2.0
// Durations come from CLOCK_MONOTONIC alone (a stepped wall clock must not move a result); wall time only names moments.
#pragma once

#include <cstdint>
#include <string>

namespace etalon::base {

/// CLOCK_MONOTONIC in nanoseconds: the time base of every event and sample.
std::int64_t monotonic_ns();

/// CLOCK_REALTIME in nanoseconds since 1970.
std::int64_t wall_clock_ns();

/// Nanoseconds as seconds.
constexpr double seconds(std::int64_t duration_ns) { return static_cast<double>(duration_ns) / 1e9; }

/// "2026-12-01T12:34:56.789Z"
std::string utc_timestamp(std::int64_t wall_ns);

/// "1 min 20 s", "3.2 s", "850 ms": for people.
std::string human_duration(double seconds);

}  // namespace etalon::base
