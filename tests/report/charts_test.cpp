// SPDX-License-Identifier: Apache-2.0
// Every chart: drawn from the series it needs, absent without them, described with its numbers.
#include "report/charts/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dossier/example.h"
#include "report/charts/specification.h"

namespace etalon::report {
namespace {

using ::testing::HasSubstr;

measure::Channel channel(const std::string& name, const std::string& unit) {
  return {name, unit, "meaning of " + name, "test", "value", ""};
}

/// A launch of 100 s, measured from second 40 to 90.
LaunchSeries launch_of(std::int64_t number) {
  LaunchSeries launch;
  launch.launch = number;
  launch.unit = "token";
  launch.steps = 100;
  launch.end_seconds = 100;
  launch.batch_steps = 5;
  launch.throughput = {{10, 400}, {50, 500}, {70, 510}, {90, 495}, {100, 500}};
  launch.loss = {{1, 5}, {100, 2}};
  launch.events.evals.push_back({100, 99'000'000'000, 100'000'000'000, 10, 1.5, "held-out", 0});
  launch.openings = {{"warm-up", 40}, {"precision, drift", 80}};
  launch.window = WindowSteps{40, 90, {10, 11, 10, 12, 10}, {}, 0, {}, 0, 0};
  launch.window->throughput.units_per_second = {500, 498, 502, 0.95, 20};
  for (const auto& [name, unit] : {std::pair{"gpu_0_temperature_celsius", "celsius"},
                                   {"gpu_0_clock_megahertz", "megahertz"},
                                   {"gpu_0_power_watts", "watts"},
                                   {"memory_used_bytes", "bytes"},
                                   {"cpu_use_percent", "percent"}})
    launch.channels.push_back({channel(name, unit), {}, {{0, 3e9}, {100, 6e9}}});
  launch.device_memory = {{5, 16e9}, {100, 18e9}};
  return launch;
}

std::optional<Chart> chart(const std::string& name, const std::vector<LaunchSeries>& launches) {
  static const dossier::Dossier none;
  for (const ChartMaker& maker : all_charts())
    if (maker.name == name) return maker.make({none, launches});
  throw std::runtime_error("no chart " + name);
}

class EveryChart : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryChart, DrawsOnePanelPerLaunchWithTheSameAxes) {
  const auto drawn = chart(GetParam(), {launch_of(1), launch_of(2)});
  ASSERT_TRUE(drawn);
  ASSERT_EQ(drawn->panels.size(), 2u);
  EXPECT_EQ(drawn->panels[1].label, "Launch 2");
  EXPECT_EQ(drawn->panels[0].specification.dump(), drawn->panels[1].specification.dump());
  EXPECT_THAT(drawn->description, HasSubstr("Launch 1: "));
  EXPECT_THAT(drawn->description, HasSubstr("Launch 2: "));
}

TEST_P(EveryChart, IsAbsentWithoutItsSeries) {
  EXPECT_FALSE(chart(GetParam(), {}));
  EXPECT_FALSE(chart(GetParam(), {LaunchSeries{}}));
}

TEST_P(EveryChart, NamesItsPicturesByLowerCaseLettersDigitsAndHyphens) {
  const auto drawn = chart(GetParam(), {launch_of(1)});
  for (const Panel& panel : drawn->panels)
    EXPECT_EQ(panel.file.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos) << panel.file;
}

TEST_P(EveryChart, DrawsTwelveLaunchesAndCountsTheRest) {
  std::vector<LaunchSeries> launches;
  for (int number = 1; number <= 14; ++number) launches.push_back(launch_of(number));
  const auto drawn = chart(GetParam(), launches);
  EXPECT_EQ(drawn->panels.size(), 12u);
  EXPECT_THAT(drawn->description, HasSubstr("2 more launches are not drawn."));
}

INSTANTIATE_TEST_SUITE_P(All, EveryChart,
                         ::testing::Values("throughput", "window", "step_time", "loss", "power", "temperature", "clock",
                                           "memory", "use"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(Charts, AreAllTestedHere) { EXPECT_EQ(all_charts().size(), 9u); }

TEST(Charts, ShadeWarmUpAndWindowAndMarkTheGates) {
  const std::string text = chart("throughput", {launch_of(1)})->panels[0].specification.dump();
  EXPECT_THAT(text, HasSubstr(R"({"x":0.0,"x2":40.0,"name":"warm-up"})"));
  EXPECT_THAT(text, HasSubstr(R"({"x":40.0,"x2":90.0,"name":"measured"})"));
  EXPECT_THAT(text, HasSubstr(R"({"x":80.0,"name":"precision, drift open"})"));
}

TEST(Charts, DescribeWhatIsToBeSeen) {
  EXPECT_EQ(chart("throughput", {launch_of(1)})->description,
            "Launch 1: means of 5 steps between 400.0 and 510.0 tokens per second over 100 s; measured from second "
            "40.0 to second "
            "90.0: 500.00.");
  EXPECT_EQ(chart("step_time", {launch_of(1)})->description,
            "Launch 1: 5 steps, median 10.00 ms, 99 % between 10.00 and 11.98 ms, the slowest 12.00 ms.");
  EXPECT_EQ(chart("loss", {launch_of(1)})->description,
            "Launch 1: training from 5.000 to 2.000, held-out from 1.500 to 1.500 nats per token.");
  EXPECT_EQ(
      chart("memory", {launch_of(1)})->description,
      "Launch 1: memory used 3.00 to 6.00 GB. Launch 1: reserved by the worker on a device, peak 16.0 to 18.0 GB.");
  EXPECT_EQ(chart("window", {launch_of(1)})->description,
            "Launch 1: batch means between -1.0 % and +2.0 % of the value; the band is its interval, ±0.40 %.");
}

TEST(Charts, MakePowerFromACounterOfEnergy) {
  LaunchSeries launch;
  launch.channels.push_back(
      {channel("rapl_package_0_microjoules", "microjoules"), {}, {{0, 0}, {0.1, 1e6}, {2, 100e6}, {4, 300e6}}});
  const auto drawn = chart("power", {launch});
  ASSERT_TRUE(drawn);
  EXPECT_THAT(drawn->panels[0].specification.dump(), HasSubstr(R"("x,y\n2,50\n4,100")"));
}

TEST(Charts, DrawTheFirstSixteenChannelsAndCountTheRest) {
  LaunchSeries launch;
  for (int zone = 0; zone < 20; ++zone)
    launch.channels.push_back({channel(fmt::format("zone_{}_celsius", zone), "celsius"), {}, {{0, 40}}});
  const auto drawn = chart("temperature", {launch});
  EXPECT_THAT(drawn->description, HasSubstr("zone 15 40.0 °C throughout."));
  EXPECT_THAT(drawn->description, HasSubstr("4 more channels stand in the table"));
}

TEST(Charts, ChooseTheUnitOfTimeByTheLengthOfTheRun) {
  LaunchSeries launch;
  launch.channels.push_back({channel("zone_celsius", "celsius"), {}, {{0, 40}, {36'000, 50}}});
  EXPECT_THAT(chart("temperature", {launch})->panels[0].specification.dump(),
              HasSubstr("time since the first step (h)"));
}

TEST(Charts, KeepNamesOutOfExpressions) {
  LaunchSeries launch;
  launch.channels.push_back({channel("'+alert(1)+'_celsius", "celsius"), {}, {{0, 40}}});
  launch.channels.push_back({channel("b_celsius", "celsius"), {}, {{0, 41}}});
  const base::Json specification = chart("temperature", {launch})->panels[0].specification;
  EXPECT_EQ(specification.at("layer").at(0).at("encoding").at("color").at("datum"), "'+alert(1)+'");
  for (const char* evaluated : {"calculate", "expr", "signal", "filter"})
    EXPECT_EQ(specification.dump().find(fmt::format("\"{}\"", evaluated)), std::string::npos);
}

}  // namespace
}  // namespace etalon::report
