// SPDX-License-Identifier: Apache-2.0
// Tukey's sliding fences: planted spikes are found, nothing else, and the fast window agrees with the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "statistics/random.h"
#include "statistics/series.h"

namespace etalon::statistics {
namespace {

using Values = std::vector<double>;

std::vector<bool> mask_by_definition(const Values& values, std::size_t window, double k) {
  std::vector<bool> mask;
  const std::size_t members = std::min(window, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t before = std::min(i, members / 2);
    const std::size_t first = std::min(i - before, values.size() - members);
    const std::span<const double> around = std::span<const double>(values).subspan(first, members);
    const double lower = quantile(around, 0.25);
    const double upper = quantile(around, 0.75);
    const double reach = k * (upper - lower);
    mask.push_back(values[i] < lower - reach || values[i] > upper + reach);
  }
  return mask;
}

TEST(OutlierMask, FindsPlantedSpikesAndNothingElse) {
  tests::Random random(3);
  Values steps(2000);
  for (double& step : steps) step = 100 + random.normal();
  const std::vector<std::size_t> planted{0, 1, 500, 777, 1200, 1999};
  for (const std::size_t spike : planted) steps[spike] = 150;
  const std::vector<bool> mask = outlier_mask(steps, 200, 3);
  for (std::size_t i = 0; i < steps.size(); ++i)
    EXPECT_EQ(mask[i], std::find(planted.begin(), planted.end(), i) != planted.end()) << "step " << i;
}

TEST(OutlierMask, FollowsASlowDriftThatFixedFencesWouldCut) {
  Values steps(3000);
  tests::Random random(4);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = 100 + 0.02 * static_cast<double>(i) + random.normal() / 4;
  const std::vector<bool> mask = outlier_mask(steps, 100, 3);
  EXPECT_EQ(std::count(mask.begin(), mask.end(), true), 0);
}

TEST(OutlierMask, AgreesWithTheDefinitionForEveryWindow) {
  tests::Random random(9);
  Values values(257);
  for (double& value : values) value = static_cast<double>(random.next() % 40);  // many ties
  values[100] = 1000;
  for (const std::size_t window : {1U, 2U, 3U, 4U, 10U, 31U, 200U, 256U, 257U, 5000U})
    EXPECT_EQ(outlier_mask(values, window, 0.5), mask_by_definition(values, window, 0.5)) << "window " << window;
}

TEST(OutlierMask, MarksWhatIsNoNumber) {
  Values values(50, 1.0);
  values[20] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<bool> mask = outlier_mask(values, 10, 3);
  EXPECT_TRUE(mask[20]);
  EXPECT_EQ(std::count(mask.begin(), mask.end(), true), 1);
}

TEST(OutlierMask, HandlesNothingAndRefusesAnEmptyWindow) {
  EXPECT_TRUE(outlier_mask(Values{}, 10, 3).empty());
  EXPECT_EQ(outlier_mask(Values{4}, 10, 3), std::vector<bool>{false});
  EXPECT_THROW(outlier_mask(Values{4}, 0, 3), std::invalid_argument);
}

TEST(OutlierMask, JudgesAHundredThousandStepsUnderWideWindowsInMoments) {
  tests::Random random(6);
  Values values(100'000);
  for (double& value : values) value = random.uniform();
  EXPECT_EQ(outlier_mask(values, 50'000, 3).size(), values.size());
}

}  // namespace
}  // namespace etalon::statistics
