// SPDX-License-Identifier: Apache-2.0
// What limits a run: each rule says no more than the dossier shows.
#include "report/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etalon::report {
namespace {

using ::testing::HasSubstr;

class Limits : public ::testing::Test {
 protected:
  Limits() {
    launch_.window = WindowSteps{10, 20, {10}, {}, 0.001, {}, 0, 0};
    launch_.events.hello = {{"device", "cuda:0"}};
    dossier_.environment = {{"machine", {{"facts", base::Json::array()}}}};
    fact("memory.total", 100e9);
    fact("nvidia.0.memory", 80e9);
  }
  void fact(const char* name, double bytes) {
    dossier_.environment["machine"]["facts"].push_back(
        {{"name", name}, {"state", "value"}, {"value", bytes}, {"unit", "bytes"}});
  }
  ChannelSeries& channel(const char* name, const char* unit, std::initializer_list<double> values) {
    ChannelSeries series{{name, unit, "", "", "value", ""}, {}, {}};
    for (const double value : values) series.summary.add(value);
    return launch_.channels.emplace_back(series);
  }
  Limit find(const std::string& what) {
    for (const Limit& limit : find_limits({dossier_, {launch_}}))
      if (limit.what == what) return limit;
    return {};
  }

  dossier::Dossier dossier_;
  LaunchSeries launch_;
};

TEST_F(Limits, AreNotKnownWithoutAWindow) {
  launch_.window.reset();
  EXPECT_EQ(find("everything").bearing, Bearing::not_known);
}

TEST_F(Limits, SayHowLongTheDeviceWaitedBetweenSteps) {
  EXPECT_EQ(find("waiting between steps").bearing, Bearing::does_not);
  launch_.window->waiting_share = 0.125;
  EXPECT_EQ(find("waiting between steps").bearing, Bearing::limits);
  EXPECT_THAT(find("waiting between steps").evidence, HasSubstr("12 % of the window"));
}

TEST_F(Limits, DoNotClaimToKnowGapsBetweenKernels) {
  EXPECT_EQ(find("gaps between kernels").bearing, Bearing::not_known);
  launch_.window->gpu_share = 0.999;
  EXPECT_EQ(find("gaps between kernels").bearing, Bearing::not_known);
  launch_.window->gpu_share = 0.8;
  EXPECT_EQ(find("gaps between kernels").bearing, Bearing::limits);
  launch_.events.hello = {{"device", "cpu"}};
  EXPECT_EQ(find("gaps between kernels").bearing, Bearing::does_not);
}

TEST_F(Limits, NameBusyOrStolenProcessors) {
  EXPECT_EQ(find("processors").bearing, Bearing::not_known);
  channel("cpu_use_percent", "percent", {98, 100});
  EXPECT_EQ(find("processors").bearing, Bearing::limits);
  EXPECT_THAT(find("processors").evidence, HasSubstr("in use 99.0 %"));
  launch_.channels.clear();
  channel("cpu_use_percent", "percent", {10});
  EXPECT_EQ(find("processors").bearing, Bearing::does_not);
  channel("cpu_steal_percent", "percent", {4});
  EXPECT_EQ(find("processors").bearing, Bearing::limits);
}

TEST_F(Limits, NameWaitingForDiscs) {
  EXPECT_EQ(find("discs").bearing, Bearing::not_known);
  channel("pressure_io_percent", "percent", {1});
  EXPECT_EQ(find("discs").bearing, Bearing::does_not);
  launch_.channels.clear();
  channel("pressure_io_percent", "percent", {20});
  EXPECT_EQ(find("discs").bearing, Bearing::limits);
}

TEST_F(Limits, NameFullMemoryAndGrowingSwap) {
  EXPECT_EQ(find("memory of the host").bearing, Bearing::not_known);
  channel("memory_used_bytes", "bytes", {50e9});
  EXPECT_EQ(find("memory of the host").bearing, Bearing::does_not);
  channel("swap_used_bytes", "bytes", {0, 2e9});
  EXPECT_EQ(find("memory of the host").bearing, Bearing::limits);
  EXPECT_THAT(find("memory of the host").evidence, HasSubstr("swap grew by 2.0 GB"));
  launch_.channels.clear();
  channel("memory_used_bytes", "bytes", {99e9});
  EXPECT_EQ(find("memory of the host").bearing, Bearing::limits);
}

TEST_F(Limits, NameFullMemoryOfTheDevice) {
  EXPECT_EQ(find("memory of the device").bearing, Bearing::not_known);
  launch_.device_memory = {{0, 20e9}};
  EXPECT_THAT(find("memory of the device").evidence, HasSubstr("room for a larger batch"));
  launch_.device_memory = {{0, 79e9}};
  EXPECT_EQ(find("memory of the device").bearing, Bearing::limits);
}

TEST_F(Limits, TakePowerCapAndHeatFromTheCardsOwnReasons) {
  EXPECT_EQ(find("power limit").bearing, Bearing::not_known);
  EXPECT_EQ(find("heat").bearing, Bearing::not_known);
  ChannelSeries& reasons = channel("gpu_0_clock_event_reasons_bitmask", "bitmask", {4, 4, 4, 0});
  reasons.bit_counts[2] = 3;
  EXPECT_EQ(find("power limit").bearing, Bearing::limits);
  EXPECT_THAT(find("power limit").evidence, HasSubstr("75 % of the time"));
  EXPECT_EQ(find("heat").bearing, Bearing::does_not);
  launch_.channels.back().bit_counts[6] = 1;
  EXPECT_EQ(find("heat").bearing, Bearing::limits);
}

}  // namespace
}  // namespace etalon::report
