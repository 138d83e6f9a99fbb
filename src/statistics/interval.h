// SPDX-License-Identifier: Apache-2.0
// Confidence intervals for means and rates, aware of autocorrelation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace etalon::statistics {

/// An estimate with its two-sided interval; low = high = value and samples < 2 mean that no interval can be given.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
  double confidence = 0.95;
  std::size_t samples = 0;  ///< batches or launches that the interval rests on
  /// Half of (high − low) over |value|; infinity when no interval can be given.
  double relative_half_width() const;
};

/// Two-sided Student-t quantile t_{(1+confidence)/2, degrees}, rounded to 10 significant digits so that libm's last bits do not matter.
double student_t(double confidence, double degrees_of_freedom);

/// Mean of (possibly autocorrelated) values; the variance of the mean is inflated by f = (1 + ρ)/(1 − ρ) with
/// ρ = lag1_unbiased, and Student's t has n/f − 1 degrees of freedom (at least 1). Throws std::invalid_argument for no values.
Estimate mean_estimate(std::span<const double> values, double confidence);

/// Mean of independent values (launches): plain Student-t.
Estimate independent_mean_estimate(std::span<const double> values, double confidence);

/// One optimiser step as throughput sees it.
struct StepSample {
  std::int64_t units = 0;
  std::int64_t duration_ns =
      0;  ///< from the end of the step before (or its own start) to its end, excluded time taken out
};

struct ThroughputSettings {
  double confidence = 0.95;
  std::size_t smallest_batch = 5;      ///< steps
  double batch_autocorrelation = 0.2;  ///< batches grow until |lag-1| falls below it
  std::size_t fewest_batches = 20;
};

struct Throughput {
  Estimate units_per_second;  ///< Σ units ÷ Σ time: a ratio of sums, never a mean of rates
  Estimate steps_per_second;
  std::size_t batch_size = 0;  ///< steps per batch behind the interval
  double batch_lag1 = 0;
  double effective_steps = 0;  ///< effective sample size of the step times
};

/// Throws std::invalid_argument when `steps` is empty, the time is not positive, or a step has negative units or time.
/// Goes through BatchSeries (online.h), which serves runs too long for a span with the same bits.
Throughput throughput(std::span<const StepSample> steps, const ThroughputSettings& settings);

/// (second half ÷ first half) − 1 of the time per unit (equal to that of the step time when all steps are alike): the
/// drift across the window. A middle step belongs to neither half; 0 for fewer than two steps.
double halves_drift(std::span<const StepSample> steps);

}  // namespace etalon::statistics
