// SPDX-License-Identifier: Apache-2.0
// Steps of a run of any length in bounded memory. The measuring loop adds every step and asks at any time; the dossier and
// `verify` add the rows of steps.csv and get the same bits, because the result depends only on the sequence added.
//
//   BatchSeries series;                       // about 1 MB at most, however many steps
//   series.add(step.units, duration_ns);      // constant time on average
//   throughput(series, settings);             // a few milliseconds; the same bits as throughput(span of the same steps)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "statistics/interval.h"

namespace etalon::statistics {

/// Holds at most `capacity` entries, each the sums of as many consecutive steps; when they are full, neighbours are merged
/// and each entry stands for twice as many steps. Up to `capacity` steps nothing is merged and nothing is lost.
class BatchSeries {
 public:
  static constexpr std::size_t default_capacity = std::size_t{1} << 15;

  /// `capacity` is rounded up to an even number.
  explicit BatchSeries(std::size_t capacity = default_capacity);

  /// Throws std::invalid_argument for negative units or time, and for totals beyond 63 bits.
  void add(std::int64_t units, std::int64_t duration_ns);
  void add(const StepSample& step) { add(step.units, step.duration_ns); }

  /// Totals of everything added, exact.
  std::size_t steps() const { return steps_; }
  std::int64_t units() const { return units_; }
  std::int64_t duration_ns() const { return duration_ns_; }
  /// Variance (n − 1) of the single steps' times in ns², also when entries have been merged.
  double step_variance() const;

  /// Sums of `entry_steps()` consecutive steps each; the steps of an incomplete last entry are only in the totals.
  std::span<const StepSample> entries() const { return entries_; }
  std::size_t entry_steps() const { return entry_steps_; }

 private:
  void append(const StepSample& entry);

  std::size_t capacity_;
  std::size_t entry_steps_ = 1;
  std::vector<StepSample> entries_;
  StepSample open_;  // the entry being filled
  std::size_t open_steps_ = 0;
  std::size_t steps_ = 0;
  std::int64_t units_ = 0;
  std::int64_t duration_ns_ = 0;
  std::int64_t first_duration_ns_ = 0;
  double squared_deviations_ =
      0;  // from the first step's time, which keeps the subtraction in step_variance() harmless
};

/// As throughput(span); batches are whole entries, at least `settings.smallest_batch` steps.
/// Throws std::invalid_argument when nothing was added or the time is not positive.
Throughput throughput(const BatchSeries& series, const ThroughputSettings& settings);

/// As halves_drift(span); the halves are cut between entries.
double halves_drift(const BatchSeries& series);

}  // namespace etalon::statistics
