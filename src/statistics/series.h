// SPDX-License-Identifier: Apache-2.0
// Pure functions on samples: moments, autocorrelation, effective sample size, batching, outliers. No I/O, no state;
// the same input gives the same bits on every machine (docs/method.md says how libm is kept out of it).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace etalon::statistics {

/// Pairwise summation in a fixed order; 0 for no values.
double sum(std::span<const double> values);
/// Throws std::invalid_argument for no values, as median and quantile do.
double mean(std::span<const double> values);
/// Unbiased (n − 1); 0 for fewer than two values.
double variance(std::span<const double> values);
double standard_deviation(std::span<const double> values);
/// NaN when a value is NaN, as quantile.
double median(std::span<const double> values);
/// Linear interpolation between order statistics (type 7 of Hyndman and Fan 1996); `probability` in [0, 1].
double quantile(std::span<const double> values, double probability);

/// Lag-k autocorrelation with the n-denominator estimator; 0 when the variance is 0.
double autocorrelation(std::span<const double> values, std::size_t lag);
/// Lag-1 autocorrelation corrected for its small-sample bias: ρ̂ + (1 + 3ρ̂)/n (Kendall 1954), clamped to [0, 0.99];
/// 0 when the variance is 0.
double lag1_unbiased(std::span<const double> values);
/// Autocorrelations are followed no further than this: it bounds the work at n · 1000.
inline constexpr std::size_t largest_lag = 1000;
/// n / (1 + 2 Σ ρ_k), the sum cut by Geyer's initial positive sequence (Geyer 1992), at most min(n / 2, largest_lag) lags;
/// between 1 and n.
double effective_sample_size(std::span<const double> values);

/// Means of consecutive groups of `batch_size`; an incomplete last group is left out.
std::vector<double> batch_means(std::span<const double> values, std::size_t batch_size);
/// The smallest size in `smallest` · 2^j whose batch means have |lag-1| < `limit`, there and at twice that size (one size
/// alone may look uncorrelated by chance), while at least `fewest_batches` remain; the largest tried otherwise.
std::size_t choose_batch_size(std::span<const double> values, std::size_t smallest, double limit,
                              std::size_t fewest_batches);

/// True where a value lies outside [Q1 − k·IQR, Q3 + k·IQR] of a sliding window of `window` values around it (Tukey 1977),
/// or is NaN. Near the ends the window is the first or last `window` values; quartiles as quantile(). O(n log n).
/// Masked values are reported, never deleted from the throughput.
std::vector<bool> outlier_mask(std::span<const double> values, std::size_t window, double k);

}  // namespace etalon::statistics
