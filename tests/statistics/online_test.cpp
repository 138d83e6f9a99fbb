// SPDX-License-Identifier: Apache-2.0
// The bounded series: same bits as the span, bounded whatever the length, and right after merging.
#include "statistics/online.h"

#include <gtest/gtest.h>

#include <cmath>

#include "statistics/random.h"
#include "statistics/series.h"

namespace etalon::statistics {
namespace {

std::vector<StepSample> noisy_steps(std::size_t count, double correlation, std::uint64_t seed) {
  tests::Random random(seed);
  const std::vector<double> noise = tests::autoregression(random, correlation, count);
  std::vector<StepSample> steps;
  steps.reserve(count);
  for (const double value : noise) steps.push_back({1024, static_cast<std::int64_t>(1e7 * (1 + 0.01 * value))});
  return steps;
}

TEST(BatchSeries, GivesTheBitsOfTheSpan) {
  for (const std::size_t count : {500U, 40'000U}) {
    const std::vector<StepSample> steps = noisy_steps(count, 0.5, 2);
    BatchSeries series;
    for (const StepSample& step : steps) series.add(step);
    const Throughput online = throughput(series, {});
    const Throughput whole = throughput(steps, {});
    EXPECT_EQ(online.units_per_second.value, whole.units_per_second.value);
    EXPECT_EQ(online.units_per_second.low, whole.units_per_second.low);
    EXPECT_EQ(online.units_per_second.high, whole.units_per_second.high);
    EXPECT_EQ(online.effective_steps, whole.effective_steps);
    EXPECT_EQ(halves_drift(series), halves_drift(steps));
  }
}

TEST(BatchSeries, MergesNeighboursWhenFullAndLosesNothing) {
  BatchSeries series(4);
  for (std::int64_t step = 1; step <= 11; ++step) series.add(step, 100 * step);
  EXPECT_EQ(series.steps(), 11U);
  EXPECT_EQ(series.units(), 66);
  EXPECT_EQ(series.duration_ns(), 6600);
  ASSERT_EQ(series.entry_steps(), 4U);
  ASSERT_EQ(series.entries().size(), 2U);
  EXPECT_EQ(series.entries()[0].units, 1 + 2 + 3 + 4);
  EXPECT_EQ(series.entries()[1].units, 5 + 6 + 7 + 8);
  EXPECT_EQ(series.entries()[1].duration_ns, 2600);
}

TEST(BatchSeries, StaysBoundedOverSixMillionSteps) {
  BatchSeries series;
  for (int step = 0; step < 6'000'000; ++step) series.add(1024, 10'000'000 + step % 7);
  EXPECT_LT(series.entries().size(), BatchSeries::default_capacity);
  EXPECT_EQ(series.entry_steps(), 256U);
  EXPECT_EQ(series.units(), 6'144'000'000);
}

TEST(BatchSeries, KnowsTheVarianceOfSingleStepsAfterMerging) {
  const std::vector<StepSample> steps = noisy_steps(5000, 0.3, 7);
  std::vector<double> durations;
  BatchSeries series(64);
  for (const StepSample& step : steps) {
    series.add(step);
    durations.push_back(static_cast<double>(step.duration_ns));
  }
  EXPECT_NEAR(series.step_variance() / variance(durations), 1, 1e-10);
}

TEST(BatchSeries, GivesTheSameAnswerMergedWithinWhatMergingCosts) {
  const std::vector<StepSample> steps = noisy_steps(60'000, 0.8, 13);
  BatchSeries merged(1024);
  BatchSeries whole(1 << 17);
  for (const StepSample& step : steps) {
    merged.add(step);
    whole.add(step);
  }
  const Throughput coarse = throughput(merged, {});
  const Throughput fine = throughput(whole, {});
  EXPECT_EQ(coarse.units_per_second.value, fine.units_per_second.value);
  EXPECT_NEAR(coarse.units_per_second.relative_half_width() / fine.units_per_second.relative_half_width(), 1, 0.15);
  EXPECT_NEAR(coarse.effective_steps / fine.effective_steps, 1, 0.15);
  EXPECT_EQ(coarse.batch_size % merged.entry_steps(), 0U);
  EXPECT_GE(coarse.batch_size, 5U);
}

}  // namespace
}  // namespace etalon::statistics
