// SPDX-License-Identifier: Apache-2.0
// A run of any length kept as at most so many sums.
#include "statistics/online.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace etalon::statistics {

BatchSeries::BatchSeries(std::size_t capacity) : capacity_(std::max<std::size_t>(2, capacity + capacity % 2)) {}

void BatchSeries::add(std::int64_t units, std::int64_t duration_ns) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (units < 0 || duration_ns < 0) throw std::invalid_argument("a step with negative units or time");
  if (units > most - units_ || duration_ns > most - duration_ns_)
    throw std::invalid_argument("more units or time in all than 63 bits can count");
  if (steps_ == 0) first_duration_ns_ = duration_ns;
  const auto deviation = static_cast<double>(duration_ns - first_duration_ns_);
  squared_deviations_ += deviation * deviation;
  ++steps_;
  units_ += units;
  duration_ns_ += duration_ns;
  open_.units += units;
  open_.duration_ns += duration_ns;
  if (++open_steps_ < entry_steps_) return;
  append(open_);
  open_ = {};
  open_steps_ = 0;
}

void BatchSeries::append(const StepSample& entry) {
  entries_.push_back(entry);
  if (entries_.size() < capacity_) return;
  for (std::size_t pair = 0; pair < entries_.size() / 2; ++pair) {
    const StepSample left = entries_[2 * pair];
    const StepSample right = entries_[2 * pair + 1];
    entries_[pair] = {left.units + right.units, left.duration_ns + right.duration_ns};
  }
  entries_.resize(entries_.size() / 2);
  entry_steps_ *= 2;
}

double BatchSeries::step_variance() const {
  if (steps_ < 2) return 0;
  const auto count = static_cast<double>(steps_);
  const double mean_ns = static_cast<double>(duration_ns_) / count;
  const double shift = mean_ns - static_cast<double>(first_duration_ns_);
  return std::max(0.0, squared_deviations_ - count * shift * shift) / (count - 1);
}

}  // namespace etalon::statistics
