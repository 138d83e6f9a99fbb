// SPDX-License-Identifier: Apache-2.0
// Moments, order statistics, autocorrelation and batching of a series.
#include "statistics/series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "statistics/pairwise.h"

namespace etalon::statistics {
namespace {

void require_values(std::span<const double> values, const char* what) {
  if (values.empty()) throw std::invalid_argument(std::string(what) + " of an empty series");
}

double sum_of_lagged_products(std::span<const double> centred, std::size_t lag) {
  return pairwise_sum(0, centred.size() - lag, [&](std::size_t i) { return centred[i] * centred[i + lag]; });
}

std::vector<double> centred_copy(std::span<const double> values) {
  const double centre = mean(values);
  std::vector<double> centred(values.begin(), values.end());
  for (double& value : centred) value -= centre;
  return centred;
}

}  // namespace

double sum(std::span<const double> values) {
  return pairwise_sum(0, values.size(), [&](std::size_t i) { return values[i]; });
}

double mean(std::span<const double> values) {
  require_values(values, "mean");
  return sum(values) / static_cast<double>(values.size());
}

double variance(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double centre = mean(values);
  const double squares = pairwise_sum(0, values.size(), [&](std::size_t i) {
    const double deviation = values[i] - centre;
    return deviation * deviation;
  });
  return squares / static_cast<double>(values.size() - 1);
}

double standard_deviation(std::span<const double> values) { return std::sqrt(variance(values)); }

double median(std::span<const double> values) { return quantile(values, 0.5); }

double quantile(std::span<const double> values, double probability) {
  require_values(values, "quantile");
  if (!(probability >= 0 && probability <= 1)) throw std::invalid_argument("quantile probability outside [0, 1]");
  if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
    return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted(values.begin(), values.end());
  const double position = probability * static_cast<double>(sorted.size() - 1);
  const double below = std::floor(position);
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(sorted.begin(), at, sorted.end());
  if (position == below) return *at;
  const double next = *std::min_element(at + 1, sorted.end());
  return *at + (position - below) * (next - *at);
}

double autocorrelation(std::span<const double> values, std::size_t lag) {
  if (lag >= values.size()) return 0;
  const std::vector<double> centred = centred_copy(values);
  const double variance_sum = sum_of_lagged_products(centred, 0);
  return variance_sum > 0 ? sum_of_lagged_products(centred, lag) / variance_sum : 0;
}

double lag1_unbiased(std::span<const double> values) {
  // The correction is meant for an estimate; without any variance there is none to correct.
  if (!(variance(values) > 0)) return 0;
  const double estimate = autocorrelation(values, 1);
  const double corrected = estimate + (1 + 3 * estimate) / static_cast<double>(values.size());
  return std::clamp(corrected, 0.0, 0.99);
}

double effective_sample_size(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  if (values.size() < 4) return count;
  const std::vector<double> centred = centred_copy(values);
  const double variance_sum = sum_of_lagged_products(centred, 0);
  if (!(variance_sum > 0)) return count;
  // Beyond the cap the correlation time is so long that only "far too few independent values" is left to say.
  const std::size_t cut = std::min<std::size_t>(values.size() / 2, largest_lag);
  double pairs = 0;
  for (std::size_t lag = 0; lag + 1 <= cut; lag += 2) {
    const double even = lag == 0 ? variance_sum : sum_of_lagged_products(centred, lag);
    const double pair = even + sum_of_lagged_products(centred, lag + 1);
    if (!(pair > 0)) break;
    pairs += pair;
  }
  const double correlation_time = 2 * pairs / variance_sum - 1;
  if (!(correlation_time > 1)) return count;
  return std::max(1.0, count / correlation_time);
}

std::vector<double> batch_means(std::span<const double> values, std::size_t batch_size) {
  if (batch_size == 0) throw std::invalid_argument("batches of no values");
  std::vector<double> means(values.size() / batch_size);
  for (std::size_t batch = 0; batch < means.size(); ++batch)
    means[batch] = mean(values.subspan(batch * batch_size, batch_size));
  return means;
}

std::size_t choose_batch_size(std::span<const double> values, std::size_t smallest, double limit,
                              std::size_t fewest_batches) {
  const auto correlated = [&](std::size_t size) {
    return std::abs(autocorrelation(batch_means(values, size), 1)) >= limit;
  };
  std::size_t size = std::max<std::size_t>(smallest, 1);
  bool here = correlated(size);
  while (values.size() / 2 / size >= std::max<std::size_t>(fewest_batches, 1)) {
    const bool doubled = correlated(2 * size);
    if (!here && !doubled) break;
    size *= 2;
    here = doubled;
  }
  return size;
}

}  // namespace etalon::statistics
