// SPDX-License-Identifier: Apache-2.0
// The same input gives the same bits with every compiler, flag and processor that étalon supports: verify relies on it.
#include <gtest/gtest.h>

#include "statistics/interval.h"
#include "statistics/random.h"
#include "statistics/series.h"

namespace etalon::statistics {
namespace {

/// Integers only, so that no libm takes part in the input either.
std::vector<StepSample> fixed_steps() {
  tests::Random random(1234);
  std::vector<StepSample> steps;
  std::int64_t slow = 0;
  for (int i = 0; i < 1000; ++i) {
    slow = (slow * 3 + static_cast<std::int64_t>(random.next() % 200'000)) / 4;
    steps.push_back({1024 - static_cast<std::int64_t>(random.next() % 16), 10'000'000 + slow});
  }
  return steps;
}

TEST(Bits, OfAThroughputAreTheseEverywhere) {
  const Throughput result = throughput(fixed_steps(), {});
  EXPECT_EQ(result.units_per_second.value, 0x1.894fac77b248ap+16);
  EXPECT_EQ(result.units_per_second.low, 0x1.89274bcbfed87p+16);
  EXPECT_EQ(result.units_per_second.high, 0x1.8978156f70fd1p+16);
  EXPECT_EQ(result.steps_per_second.low, 0x1.8c026ded9de34p+6);
  EXPECT_EQ(result.batch_lag1, 0x1.3de59bc3def58p-3);
  EXPECT_EQ(result.effective_steps, 0x1.b984b58e879b8p+6);
  EXPECT_EQ(halves_drift(fixed_steps()), 0x1.bb7410c0e3p-11);
}

TEST(Bits, OfASeriesAreTheseEverywhere) {
  std::vector<double> values;
  for (const StepSample& step : fixed_steps()) values.push_back(static_cast<double>(step.duration_ns) / 3);
  EXPECT_EQ(mean(values), 0x1.9ad88538a94d3p+21);
  EXPECT_EQ(variance(values), 0x1.86a9ed702135p+25);
  EXPECT_EQ(quantile(values, 0.9), 0x1.9bf84d5555556p+21);
  EXPECT_EQ(lag1_unbiased(values), 0x1.75c665061027ep-1);
  EXPECT_EQ(student_t(0.95, 19), 0x1.0be83652d5ee6p+1);
  EXPECT_EQ(student_t(0.99, 2.5), 0x1.ca7a85969c28p+2);
}

}  // namespace
}  // namespace etalon::statistics
