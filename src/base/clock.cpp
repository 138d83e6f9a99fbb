// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <cmath>
#include <ctime>

#include <fmt/format.h>

namespace etalon::base {

namespace {

std::int64_t read_clock(clockid_t id) {
  timespec time{};
  ::clock_gettime(id, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

std::int64_t monotonic_ns() { return read_clock(CLOCK_MONOTONIC); }

std::int64_t wall_clock_ns() { return read_clock(CLOCK_REALTIME); }

std::string utc_timestamp(std::int64_t wall_ns) {
  const std::time_t seconds = wall_ns / 1'000'000'000;
  const auto milliseconds = (wall_ns / 1'000'000) % 1000;
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec, milliseconds);
}

std::string human_duration(double seconds) {
  if (!std::isfinite(seconds)) return "unknown";
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600)
    return whole % 60 == 0 ? fmt::format("{} min", whole / 60) : fmt::format("{} min {} s", whole / 60, whole % 60);
  const long long minutes = (whole % 3600) / 60;
  return minutes == 0 ? fmt::format("{} h", whole / 3600) : fmt::format("{} h {} min", whole / 3600, minutes);
}

}  // namespace etalon::base
