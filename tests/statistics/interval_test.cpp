// SPDX-License-Identifier: Apache-2.0
// Student's t, intervals of means, and the throughput of a window: published values and arithmetic done by hand.
#include "statistics/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "statistics/random.h"
#include "statistics/series.h"

namespace etalon::statistics {
namespace {

using Values = std::vector<double>;

TEST(StudentT, MatchesThePrintedTables) {
  EXPECT_EQ(student_t(0.95, 1), 12.70620474);
  EXPECT_EQ(student_t(0.95, 2), 4.302652730);
  EXPECT_EQ(student_t(0.95, 10), 2.228138852);
  EXPECT_NEAR(student_t(0.95, 19), 2.093, 5e-4);
  EXPECT_NEAR(student_t(0.95, 29), 2.045, 5e-4);
  EXPECT_NEAR(student_t(0.95, 120), 1.980, 5e-4);
  EXPECT_NEAR(student_t(0.99, 10), 3.169, 5e-4);
  EXPECT_NEAR(student_t(0.90, 5), 2.015, 5e-4);
  EXPECT_NEAR(student_t(0.95, 1e9), 1.959963985, 1e-8);
}

TEST(StudentT, RefusesWhatHasNoQuantile) {
  EXPECT_THROW(student_t(1, 5), std::invalid_argument);
  EXPECT_THROW(student_t(0, 5), std::invalid_argument);
  EXPECT_THROW(student_t(0.95, 0), std::invalid_argument);
  EXPECT_THROW(student_t(std::numeric_limits<double>::quiet_NaN(), 5), std::invalid_argument);
}

TEST(IndependentMean, IsThePlainStudentInterval) {
  // Five launches: mean 10, s² = 2.5, t₀.₉₇₅,₄ = 2.776445105, half-width 2.776445105 · √(2.5 / 5).
  const Estimate estimate = independent_mean_estimate(Values{8, 9, 10, 11, 12}, 0.95);
  EXPECT_EQ(estimate.value, 10);
  EXPECT_NEAR(estimate.high - 10, 1.963243162, 1e-9);
  EXPECT_NEAR(10 - estimate.low, 1.963243162, 1e-9);
  EXPECT_EQ(estimate.samples, 5U);
  EXPECT_NEAR(estimate.relative_half_width(), 0.1963243162, 1e-10);
}

TEST(IndependentMean, GivesNoIntervalForOneLaunch) {
  const Estimate estimate = independent_mean_estimate(Values{42}, 0.95);
  EXPECT_EQ(estimate.value, 42);
  EXPECT_EQ(estimate.low, 42);
  EXPECT_EQ(estimate.high, 42);
  EXPECT_EQ(estimate.samples, 1U);
  EXPECT_EQ(estimate.relative_half_width(), std::numeric_limits<double>::infinity());
}

TEST(Mean, WidensByTheCorrelationOfNeighbours) {
  const Values values{1, 3, 2, 4, 5, 4, 6, 5, 3, 4, 2, 1, 2, 3, 1, 2};
  const double correlation = lag1_unbiased(values);
  ASSERT_NEAR(correlation, 0.62326, 0.00001);
  const double inflation = (1 + correlation) / (1 - correlation);
  const Estimate plain = independent_mean_estimate(values, 0.95);
  const Estimate aware = mean_estimate(values, 0.95);
  const double fewer_degrees = student_t(0.95, 16 / inflation - 1) / student_t(0.95, 15);
  EXPECT_NEAR((aware.high - aware.low) / (plain.high - plain.low), std::sqrt(inflation) * fewer_degrees, 1e-12);
}

TEST(Mean, KeepsOneDegreeOfFreedomHoweverCorrelated) {
  const Values values{1, 2, 3, 4};
  const double inflation = (1 + 0.6875) / (1 - 0.6875);
  const Estimate aware = mean_estimate(values, 0.95);
  EXPECT_NEAR((aware.high - aware.low) / 2, student_t(0.95, 1) * std::sqrt(5.0 / 3 / 4 * inflation), 1e-12);
}

std::vector<StepSample> equal_steps(std::size_t count, std::int64_t units, std::int64_t duration_ns) {
  return std::vector<StepSample>(count, StepSample{units, duration_ns});
}

TEST(Throughput, IsUnitsOverTimeForEqualSteps) {
  const Throughput result = throughput(equal_steps(140, 2, 1'000'000'000), {});
  EXPECT_EQ(result.units_per_second.value, 2);
  EXPECT_EQ(result.steps_per_second.value, 1);
  EXPECT_EQ(result.units_per_second.low, 2);
  EXPECT_EQ(result.units_per_second.high, 2);
  EXPECT_EQ(result.units_per_second.relative_half_width(), 0);
  EXPECT_EQ(result.batch_size, 5U);
  EXPECT_EQ(result.units_per_second.samples, 28U);
  EXPECT_EQ(result.effective_steps, 140);
}

TEST(Throughput, IsARatioOfSumsNeverAMeanOfRates) {
  // 10 steps of 1 s and 10 of 3 s, 6 units each: 120 units in 40 s. The mean of rates would say 4.
  std::vector<StepSample> steps = equal_steps(10, 6, 1'000'000'000);
  const std::vector<StepSample> slow = equal_steps(10, 6, 3'000'000'000);
  steps.insert(steps.end(), slow.begin(), slow.end());
  EXPECT_EQ(throughput(steps, {}).units_per_second.value, 3);
}

TEST(Throughput, KnowsThatLongerStepsWithMoreUnitsAreNoNoise) {
  // Padding excluded, steps differ in size by a factor of three at one and the same speed.
  tests::Random random(21);
  std::vector<StepSample> steps;
  for (int i = 0; i < 400; ++i) {
    const auto units = static_cast<std::int64_t>(1000 + random.next() % 2000);
    steps.push_back({units, units * 1000});
  }
  const Throughput result = throughput(steps, {});
  EXPECT_EQ(result.units_per_second.value, 1e6);
  EXPECT_LT(result.units_per_second.relative_half_width(), 1e-12);
  EXPECT_GT(result.steps_per_second.relative_half_width(), 0.01);
}

TEST(Throughput, CountsAStepWithoutUnitsAsTimeSpent) {
  std::vector<StepSample> steps = equal_steps(99, 10, 1'000'000);
  steps.push_back({0, 1'000'000});
  const Throughput result = throughput(steps, {});
  EXPECT_DOUBLE_EQ(result.units_per_second.value, 9900);
  EXPECT_DOUBLE_EQ(result.steps_per_second.value, 1000);
  EXPECT_LE(result.units_per_second.low, 9900);
  EXPECT_GE(result.units_per_second.high, 9900);
}

TEST(Throughput, InvertsTheIntervalOfTimePerUnit) {
  tests::Random random(8);
  std::vector<StepSample> steps;
  for (int i = 0; i < 200; ++i) steps.push_back({1000, static_cast<std::int64_t>(1e8 * (1 + 0.05 * random.normal()))});
  const Estimate rate = throughput(steps, {}).units_per_second;
  // Symmetric in seconds per unit, hence a little longer upwards in units per second.
  EXPECT_NEAR((1 / rate.low + 1 / rate.high) / 2, 1 / rate.value, 1e-15);
  EXPECT_GT(rate.high - rate.value, rate.value - rate.low);
}

TEST(Throughput, GivesNoIntervalForTooFewSteps) {
  const Throughput result = throughput(equal_steps(9, 4, 500'000'000), {});
  EXPECT_EQ(result.units_per_second.value, 8);
  EXPECT_LT(result.units_per_second.samples, 2U);
  EXPECT_EQ(result.units_per_second.low, 8);
  EXPECT_TRUE(std::isinf(result.units_per_second.relative_half_width()));
}

TEST(Throughput, RefusesNothingAndTimeThatDoesNotPass) {
  EXPECT_THROW(throughput(std::vector<StepSample>{}, {}), std::invalid_argument);
  EXPECT_THROW(throughput(equal_steps(3, 4, 0), {}), std::invalid_argument);
  EXPECT_THROW(throughput(equal_steps(3, -4, 10), {}), std::invalid_argument);
  EXPECT_THROW(throughput(equal_steps(3, 4, -10), {}), std::invalid_argument);
  EXPECT_THROW(throughput(equal_steps(3, 4, std::numeric_limits<std::int64_t>::max()), {}), std::invalid_argument);
}

TEST(HalvesDrift, ComparesTheSecondHalfWithTheFirst) {
  std::vector<StepSample> steps = equal_steps(50, 8, 1'000'000);
  steps.push_back({8, 77'000'000});  // the middle step belongs to neither half
  const std::vector<StepSample> slower = equal_steps(50, 8, 1'010'000);
  steps.insert(steps.end(), slower.begin(), slower.end());
  EXPECT_NEAR(halves_drift(steps), 0.01, 1e-12);
}

TEST(HalvesDrift, SeesSpeedNotStepSize) {
  std::vector<StepSample> steps = equal_steps(50, 8, 1'000'000);
  const std::vector<StepSample> larger = equal_steps(50, 16, 2'000'000);
  steps.insert(steps.end(), larger.begin(), larger.end());
  EXPECT_EQ(halves_drift(steps), 0);
  EXPECT_EQ(halves_drift(equal_steps(1, 8, 1000)), 0);
}

}  // namespace
}  // namespace etalon::statistics
