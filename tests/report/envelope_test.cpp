// SPDX-License-Identifier: Apache-2.0
// Thinning for drawing: short series stay as they are, long ones keep their peaks.
#include "report/envelope.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etalon::report {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

std::vector<Point> sine_with_peaks(std::size_t samples) {
  std::vector<Point> series;
  for (std::size_t i = 0; i < samples; ++i)
    series.push_back({static_cast<double>(i), std::sin(static_cast<double>(i) / 1000)});
  series[samples / 3].y = 50;
  series[samples / 2].y = -70;
  return series;
}

TEST(Envelope, LeavesAShortSeriesAsItIs) {
  const std::vector<Point> series = {{0, 1}, {1, 3}, {2, 2}, {3, 2}};
  EXPECT_EQ(thinned(series, 100), series);
}

TEST(Envelope, IsEmptyForNoSamples) { EXPECT_TRUE(thinned({}, 100).empty()); }

TEST(Envelope, KeepsTheLowestAndTheHighestOfEveryStretch) {
  const std::vector<Point> series = {{0, 5}, {1, 6}, {2, 4}, {3, 5}, {4, 9}, {5, 5}, {6, 1}, {7, 5}};
  EXPECT_THAT(thinned(series, 4),
              ElementsAre(Point{0, 5}, Point{1, 6}, Point{2, 4}, Point{4, 9}, Point{6, 1}, Point{7, 5}));
}

TEST(Envelope, KeepsPeaksOfALongSeries) {
  const std::vector<Point> drawn = thinned(sine_with_peaks(1'000'003), 500);
  EXPECT_LE(drawn.size(), 504u);
  EXPECT_THAT(drawn, Contains(Point{333'334, 50}));
  EXPECT_THAT(drawn, Contains(Point{500'001, -70}));
}

TEST(Envelope, KeepsTheOrderOfTimeAndBothEnds) {
  const std::vector<Point> drawn = thinned(sine_with_peaks(12'345), 100);
  EXPECT_EQ(drawn.front().x, 0);
  EXPECT_EQ(drawn.back().x, 12'344);
  for (std::size_t i = 1; i < drawn.size(); ++i) EXPECT_LE(drawn[i - 1].x, drawn[i].x);
}

TEST(Envelope, CanBeThinnedAgainWithoutLosingPeaks) {
  const std::vector<Point> once = thinned(sine_with_peaks(100'000), 2000);
  EXPECT_THAT(thinned(once, 100), Contains(Point{33'333, 50}));
}

TEST(Envelope, LeavesOutWhatIsNoNumber) {
  Envelope envelope(10);
  envelope.add(0, 1);
  envelope.add(1, std::numeric_limits<double>::quiet_NaN());
  envelope.add(2, std::numeric_limits<double>::infinity());
  envelope.add(3, 2);
  EXPECT_THAT(envelope.points(), ElementsAre(Point{0, 1}, Point{3, 2}));
  EXPECT_EQ(envelope.samples(), 2u);
}

}  // namespace
}  // namespace etalon::report
