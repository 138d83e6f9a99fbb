// SPDX-License-Identifier: Apache-2.0
// What somebody watching sees of the sensors.
#include "measure/live_readings.h"

#include <gtest/gtest.h>

namespace etalon::measure {
namespace {

Channel channel(const std::string& name, const std::string& unit, const std::string& live,
                const std::string& state = "value") {
  return {name, unit, "", "test", state, "", live};
}

TEST(LiveReadings, ShowTheHottestSensorAndSkipWhatHasNoLabelOrNoColumn) {
  LiveReadings readings({channel("a_celsius", "celsius", "hottest sensor"), channel("load", "processes", ""),
                         channel("b_celsius", "celsius", "hottest sensor"),
                         channel("c_celsius", "celsius", "hottest sensor", "not permitted")});
  readings.add({0, {41.0, 3.0, 57.5}});
  const std::vector<Reading> latest = readings.latest();
  ASSERT_EQ(latest.size(), 1U);
  EXPECT_EQ(latest[0].label, "hottest sensor");
  EXPECT_EQ(latest[0].value, 57.5);
  EXPECT_EQ(latest[0].unit, "celsius");
}

TEST(LiveReadings, TurnEnergyCountersIntoTheirPowerTogether) {
  LiveReadings readings({channel("rapl_0", "microjoules", "CPU power"), channel("rapl_1", "microjoules", "CPU power")});
  readings.add({1'000'000'000, {0.0, 0.0}});
  EXPECT_TRUE(readings.latest().empty());
  readings.add({1'500'000'000, {10e6, 5e6}});
  const std::vector<Reading> latest = readings.latest();
  ASSERT_EQ(latest.size(), 1U);
  EXPECT_DOUBLE_EQ(latest[0].value, 30);
  EXPECT_EQ(latest[0].unit, "watts");
}

TEST(LiveReadings, ClaimNoPowerOverAGapInTheCounter) {
  LiveReadings readings({channel("rapl_0", "microjoules", "CPU power")});
  readings.add({0, {0.0}});
  readings.add({1'000'000'000, {std::nullopt}});
  readings.add({2'000'000'000, {20e6}});
  EXPECT_TRUE(readings.latest().empty());
}

}  // namespace
}  // namespace etalon::measure
