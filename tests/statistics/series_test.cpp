// SPDX-License-Identifier: Apache-2.0
// Moments, order statistics, autocorrelation and batches against published values.
#include "statistics/series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "statistics/random.h"

namespace etalon::statistics {
namespace {

using Values = std::vector<double>;

/// NIST StRD NumAcc2 to NumAcc4: `centre`, then 500 times centre − 0.1 and centre + 0.1.
Values alternating(double centre, double below, double above) {
  Values values{centre};
  for (int pair = 0; pair < 500; ++pair) {
    values.push_back(below);
    values.push_back(above);
  }
  return values;
}

/// Michelson 1879, km/s above 299,000, in the order measured (NIST StRD "Michelso").
const Values& michelson() {
  static const Values values{850,  740, 900, 1070, 930, 850, 950, 980, 980, 880, 1000, 980, 930, 650, 760, 810, 1000,
                             1000, 960, 960, 960,  940, 960, 940, 880, 800, 850, 880,  900, 840, 830, 790, 810, 880,
                             880,  830, 800, 790,  760, 800, 880, 880, 880, 860, 720,  720, 620, 860, 970, 950, 880,
                             910,  850, 870, 840,  840, 850, 840, 840, 840, 890, 810,  810, 820, 800, 770, 760, 740,
                             750,  760, 910, 920,  890, 860, 880, 720, 840, 850, 850,  780, 890, 840, 780, 810, 760,
                             810,  790, 810, 820,  850, 870, 870, 810, 740, 810, 940,  950, 800, 810, 870};
  return values;
}

TEST(Series, MatchesTheCertifiedMomentsOfMichelsonsSpeedOfLight) {
  EXPECT_DOUBLE_EQ(mean(michelson()), 852.4);
  EXPECT_NEAR(standard_deviation(michelson()), 79.0105478190518, 1e-12);
  EXPECT_NEAR(autocorrelation(michelson(), 1), 0.535199668621283, 1e-14);
}

TEST(Series, KeepsItsDigitsWhereTheMeanIsLargeAndTheSpreadSmall) {
  EXPECT_EQ(mean(Values{10000001, 10000003, 10000002}), 10000002);
  EXPECT_EQ(standard_deviation(Values{10000001, 10000003, 10000002}), 1);
  EXPECT_NEAR(mean(alternating(1.2, 1.1, 1.3)), 1.2, 1e-15);
  EXPECT_NEAR(standard_deviation(alternating(1.2, 1.1, 1.3)), 0.1, 1e-15);
  EXPECT_NEAR(autocorrelation(alternating(1.2, 1.1, 1.3), 1), -0.999, 1e-13);
  EXPECT_NEAR(standard_deviation(alternating(1000000.2, 1000000.1, 1000000.3)), 0.1, 1e-10);
  EXPECT_NEAR(standard_deviation(alternating(10000000.2, 10000000.1, 10000000.3)), 0.1, 1e-9);
}

TEST(Series, SumsAMillionTenthsToTheLastDigits) {
  const Values tenths(1'000'000, 0.1);
  EXPECT_NEAR(sum(tenths), 100000, 1e-10);
  EXPECT_EQ(sum(Values{}), 0);
}

TEST(Series, HasNoMeanMedianOrQuantileOfNothing) {
  EXPECT_THROW(mean(Values{}), std::invalid_argument);
  EXPECT_THROW(median(Values{}), std::invalid_argument);
  EXPECT_THROW(quantile(Values{1}, 1.5), std::invalid_argument);
  EXPECT_EQ(variance(Values{}), 0);
  EXPECT_EQ(variance(Values{7}), 0);
}

TEST(Series, InterpolatesQuantilesAsTypeSevenOfHyndmanAndFan) {
  const Values one_to_ten{7, 2, 9, 1, 10, 4, 3, 8, 6, 5};
  EXPECT_EQ(quantile(one_to_ten, 0.25), 3.25);
  EXPECT_EQ(quantile(one_to_ten, 0.75), 7.75);
  EXPECT_EQ(quantile(one_to_ten, 0), 1);
  EXPECT_EQ(quantile(one_to_ten, 1), 10);
  EXPECT_EQ(median(one_to_ten), 5.5);
  EXPECT_EQ(median(Values{3, 1, 2}), 2);
}

TEST(Series, SaysNotANumberRatherThanSortingOne) {
  EXPECT_TRUE(std::isnan(median(Values{1, std::numeric_limits<double>::quiet_NaN(), 3})));
}

TEST(Series, HasNoAutocorrelationWithoutVarianceOrBeyondItsEnd) {
  EXPECT_EQ(autocorrelation(Values{5, 5, 5, 5}, 1), 0);
  EXPECT_EQ(autocorrelation(Values{1, 2}, 2), 0);
  EXPECT_EQ(lag1_unbiased(Values{5, 5, 5, 5}), 0);
  // Means −1.5, −0.5, 0.5, 1.5: r1 = (0.75 − 0.25 + 0.75) / 5.
  EXPECT_DOUBLE_EQ(autocorrelation(Values{1, 2, 3, 4}, 1), 0.25);
}

TEST(Series, CorrectsTheLagOneAutocorrelationForItsSmallSampleBias) {
  EXPECT_DOUBLE_EQ(lag1_unbiased(Values{1, 2, 3, 4}), 0.25 + 1.75 / 4);
  EXPECT_EQ(lag1_unbiased(Values{1, -1, 1, -1, 1, -1, 1, -1}), 0)
      << "negative correlation is not used to narrow an interval";
  Values ramp(1000);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<double>(i);
  EXPECT_EQ(lag1_unbiased(ramp), 0.99);
}

TEST(Series, CountsIndependentValuesAsAutoregressionTheorySays) {
  for (const double correlation : {0.0, 0.5, 0.8}) {
    tests::Random random(11);
    const Values values = tests::autoregression(random, correlation, 100'000);
    const double expected = 100'000 * (1 - correlation) / (1 + correlation);
    EXPECT_NEAR(effective_sample_size(values) / expected, 1, 0.06) << correlation;
  }
}

TEST(Series, KeepsTheEffectiveSampleSizeBetweenOneAndTheCount) {
  EXPECT_EQ(effective_sample_size(Values{}), 0);
  EXPECT_EQ(effective_sample_size(Values{3, 4, 5}), 3);
  EXPECT_EQ(effective_sample_size(Values(100, 2.5)), 100);
  EXPECT_EQ(effective_sample_size(alternating(0, -1, 1)), 1001);
  Values ramp(10'000);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<double>(i);
  EXPECT_GE(effective_sample_size(ramp), 1);
  EXPECT_LT(effective_sample_size(ramp), 10);
}

TEST(Series, LeavesAnIncompleteBatchOut) {
  EXPECT_EQ(batch_means(Values{1, 3, 5, 7, 100}, 2), (Values{2, 6}));
  EXPECT_TRUE(batch_means(Values{1, 2}, 3).empty());
  EXPECT_THROW(batch_means(Values{1}, 0), std::invalid_argument);
}

TEST(Series, GrowsBatchesUntilTheirMeansNoLongerResembleTheirNeighbours) {
  tests::Random random(5);
  EXPECT_EQ(choose_batch_size(tests::autoregression(random, 0, 4000), 5, 0.2, 20), 5U);
  const std::size_t size = choose_batch_size(tests::autoregression(random, 0.9, 4000), 5, 0.2, 20);
  EXPECT_GE(size, 20U);
  EXPECT_LE(size, 160U);
}

TEST(Series, StopsGrowingBatchesWhileTheFewestRemain) {
  Values ramp(407);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<double>(i);
  EXPECT_EQ(choose_batch_size(ramp, 5, 0.2, 20), 20U) << "20 batches of 20; 40 would leave 10";
  EXPECT_EQ(choose_batch_size(ramp, 5, 0.2, 400), 5U) << "too short even at the smallest size";
  EXPECT_EQ(choose_batch_size(Values{}, 5, 0.2, 20), 5U);
}

}  // namespace
}  // namespace etalon::statistics
