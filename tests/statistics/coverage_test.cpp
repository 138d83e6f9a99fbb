// SPDX-License-Identifier: Apache-2.0
// Does a 95 % interval hold the truth 95 times in 100? Simulated step times of known mean and autocorrelation.
#include <gtest/gtest.h>

#include "statistics/interval.h"
#include "statistics/random.h"

namespace etalon::statistics {
namespace {

constexpr double true_rate = 10'000;   // 1000 units each 0.1 s

double coverage(double correlation, std::size_t steps_per_window, int windows) {
  tests::Random random(20'261'201);
  int covered = 0;
  std::vector<StepSample> steps(steps_per_window);
  for (int window = 0; window < windows; ++window) {
    const std::vector<double> noise = tests::autoregression(random, correlation, steps_per_window);
    for (std::size_t i = 0; i < noise.size(); ++i)
      steps[i] = {1000, static_cast<std::int64_t>(1e8 * (1 + 0.01 * noise[i]) + 0.5)};
    const Estimate rate = throughput(steps, {}).units_per_second;
    if (rate.low <= true_rate && true_rate <= rate.high) ++covered;
  }
  return static_cast<double>(covered) / windows;
}

struct Case {
  double correlation;
  std::size_t steps;
};

class Coverage : public testing::TestWithParam<Case> {};

TEST_P(Coverage, OfTheNinetyFivePerCentIntervalIsNinetyThreeToNinetySevenAndAHalf) {
  const double found = coverage(GetParam().correlation, GetParam().steps, 4000);
  RecordProperty("coverage", std::to_string(found));
  EXPECT_GE(found, 0.93);
  EXPECT_LE(found, 0.975);
}

INSTANTIATE_TEST_SUITE_P(OfAutoregressions, Coverage,
                         testing::Values(Case{0, 200}, Case{0, 1000}, Case{0.5, 200}, Case{0.5, 1000}, Case{0.8, 200},
                                         Case{0.8, 1000}));

}  // namespace
}  // namespace etalon::statistics
