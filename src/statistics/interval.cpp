// SPDX-License-Identifier: Apache-2.0
// Student-t intervals for means, and the throughput of a window with its interval.
#include "statistics/interval.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "statistics/online.h"
#include "statistics/series.h"

namespace etalon::statistics {
namespace {

/// Through decimal text, whose rounding is exact: what differs between libms (the 16th digit) is gone afterwards.
double rounded_to_ten_digits(double value) {
  char text[32];
  const auto written = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, 9);
  double rounded = value;
  std::from_chars(text, written.ptr, rounded, std::chars_format::scientific);
  return rounded;
}

Estimate without_interval(double value, double confidence) { return {value, value, value, confidence, 0}; }

/// `inflation` is how many correlated values are worth one independent one: it widens the variance of the mean, and leaves
/// that many fewer degrees of freedom to know the variance from.
Estimate interval_around(double centre, std::span<const double> values, double confidence, double inflation) {
  const auto count = static_cast<double>(values.size());
  const double degrees = std::max(1.0, count / inflation - 1);
  const double half = student_t(confidence, degrees) * std::sqrt(variance(values) / count * inflation);
  return {centre, centre - half, centre + half, confidence, values.size()};
}

/// What each entry took beyond (or below) what its weight says at the overall rate: the linearised error of a ratio of
/// sums (Cochran 1977, §6.3), so that unequal and even empty steps count for what they are. In ns.
template <typename Weight>
std::vector<double> ratio_residuals(const BatchSeries& series, double ns_per_weight, const Weight& weight) {
  std::vector<double> residuals;
  residuals.reserve(series.entries().size());
  for (const StepSample& entry : series.entries())
    residuals.push_back(static_cast<double>(entry.duration_ns) - ns_per_weight * weight(entry));
  return residuals;
}

/// Beyond half of the value an interval says no more than "not known", and its inverse runs off to infinity.
constexpr double widest_relative = 0.5;

/// The interval of time per unit, inverted into one of units per time.
Estimate rate_estimate(double rate, std::span<const double> residual_batches, double mean_batch_ns, double confidence) {
  if (residual_batches.size() < 2) return without_interval(rate, confidence);
  const Estimate residual = mean_estimate(residual_batches, confidence);
  const double relative = (residual.high - residual.low) / 2 / mean_batch_ns;
  if (!(relative < widest_relative)) return without_interval(rate, confidence);
  return {rate, rate / (1 + relative), rate / (1 - relative), confidence, residual_batches.size()};
}

double effective_steps(const BatchSeries& series) {
  std::vector<double> means;
  means.reserve(series.entries().size());
  for (const StepSample& entry : series.entries())
    means.push_back(static_cast<double>(entry.duration_ns) / static_cast<double>(series.entry_steps()));
  const double entries = effective_sample_size(means);
  const auto steps = static_cast<double>(series.steps());
  if (series.entry_steps() == 1) return entries;
  // Var(mean) = s²(entries) / n_eff(entries) must equal s²(steps) / n_eff(steps).
  const double entry_variance = variance(means);
  if (!(entry_variance > 0)) return steps;
  return std::clamp(entries * (series.step_variance() / entry_variance), 1.0, steps);
}

BatchSeries series_of(std::span<const StepSample> steps) {
  BatchSeries series;
  for (const StepSample& step : steps) series.add(step);
  return series;
}

double time_per_unit(std::span<const StepSample> entries) {
  std::int64_t units = 0;
  std::int64_t duration_ns = 0;
  for (const StepSample& entry : entries) {
    units += entry.units;
    duration_ns += entry.duration_ns;
  }
  const double weight = units > 0 ? static_cast<double>(units) : static_cast<double>(entries.size());
  return static_cast<double>(duration_ns) / weight;
}

}  // namespace

double Estimate::relative_half_width() const {
  if (samples < 2 || value == 0) return std::numeric_limits<double>::infinity();
  return (high - low) / 2 / std::abs(value);
}

double student_t(double confidence, double degrees_of_freedom) {
  if (!(confidence > 0 && confidence < 1)) throw std::invalid_argument("confidence outside (0, 1)");
  if (!(degrees_of_freedom > 0)) throw std::invalid_argument("Student's t needs degrees of freedom above 0");
  const boost::math::students_t_distribution<double> distribution(degrees_of_freedom);
  return rounded_to_ten_digits(boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2)));
}

Estimate mean_estimate(std::span<const double> values, double confidence) {
  const double centre = mean(values);
  if (values.size() < 2) return {centre, centre, centre, confidence, values.size()};
  const double correlation = lag1_unbiased(values);
  return interval_around(centre, values, confidence, (1 + correlation) / (1 - correlation));
}

Estimate independent_mean_estimate(std::span<const double> values, double confidence) {
  const double centre = mean(values);
  if (values.size() < 2) return {centre, centre, centre, confidence, values.size()};
  return interval_around(centre, values, confidence, 1);
}

Throughput throughput(const BatchSeries& series, const ThroughputSettings& settings) {
  if (series.steps() == 0) throw std::invalid_argument("throughput of no steps");
  if (series.duration_ns() <= 0) throw std::invalid_argument("throughput of steps that took no time");
  const auto total_ns = static_cast<double>(series.duration_ns());
  const auto total_units = static_cast<double>(series.units());
  const auto total_steps = static_cast<double>(series.steps());
  const auto entry_steps = static_cast<double>(series.entry_steps());
  const std::vector<double> by_step =
      ratio_residuals(series, total_ns / total_steps, [&](const StepSample&) { return entry_steps; });
  const std::vector<double> by_unit =
      series.units() == 0 ? by_step : ratio_residuals(series, total_ns / total_units, [](const StepSample& entry) {
        return static_cast<double>(entry.units);
      });
  const std::size_t smallest = (settings.smallest_batch + series.entry_steps() - 1) / series.entry_steps();
  const std::size_t size =
      choose_batch_size(by_unit, smallest, settings.batch_autocorrelation, settings.fewest_batches);
  const std::vector<double> unit_batches = batch_means(by_unit, size);
  const double entry_ns = total_ns / total_steps * entry_steps;
  Throughput result;
  result.units_per_second = rate_estimate(total_units / (total_ns / 1e9), unit_batches, entry_ns, settings.confidence);
  result.steps_per_second =
      rate_estimate(total_steps / (total_ns / 1e9), batch_means(by_step, size), entry_ns, settings.confidence);
  result.batch_size = size * series.entry_steps();
  result.batch_lag1 = unit_batches.empty() ? 0 : autocorrelation(unit_batches, 1);
  result.effective_steps = effective_steps(series);
  return result;
}

Throughput throughput(std::span<const StepSample> steps, const ThroughputSettings& settings) {
  return throughput(series_of(steps), settings);
}

double halves_drift(const BatchSeries& series) {
  const std::span<const StepSample> entries = series.entries();
  const std::size_t half = entries.size() / 2;
  if (half == 0) return 0;
  const double first = time_per_unit(entries.first(half));
  const double second = time_per_unit(entries.last(half));
  return first > 0 ? second / first - 1 : 0;
}

double halves_drift(std::span<const StepSample> steps) { return halves_drift(series_of(steps)); }

}  // namespace etalon::statistics
