// SPDX-License-Identifier: Apache-2.0
// Each telemetry source on a fake machine: values worked out by hand, wrap-around, vanished files, garbage, refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>

#include "fake_root.h"
#include "measure/sources/catalog.h"
#include "measure/sources/channel.h"

namespace etalon::measure {
namespace {

using Cells = std::vector<std::optional<double>>;

/// A clock that stands still until told otherwise.
struct FakeClock {
  std::int64_t now_ns = 1'000'000'000;
};

class Sources : public testing::Test {
 protected:
  SourceOptions options() {
    return {.root = root_.path(), .clock_ns = [this] { return clock_.now_ns; }};
  }
  FakeRoot root_;
  FakeClock clock_;
};

const Channel& named(const std::vector<Channel>& channels, std::string_view name) {
  for (const Channel& channel : channels) {
    if (channel.name == name) return channel;
  }
  throw std::runtime_error("no channel " + std::string(name));
}

TEST_F(Sources, ProcStatGivesTheShareOfTimeSinceTheRowBefore) {
  root_.write("/proc/stat", "cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 1 2 3 4\n");
  const auto source = make_proc_stat(options());
  // 100 ticks more: 60 in user, 5 of them stolen elsewhere, 30 idle, 5 waiting for I/O.
  root_.write("/proc/stat", "cpu  160 0 100 830 5 0 0 5 0 0\n");
  EXPECT_EQ(source->sample(), (Cells{65, 5}));
  EXPECT_EQ(named(source->channels(), "cpu_use_percent").state, "value");
}

TEST_F(Sources, ProcStatLeavesCellsEmptyWhenNoTimePassedOrTheCountersFell) {
  root_.write("/proc/stat", "cpu  100 0 100 800 0 0 0 0 0 0\n");
  const auto source = make_proc_stat(options());
  EXPECT_EQ(source->sample(), (Cells{std::nullopt, std::nullopt}));
  root_.write("/proc/stat", "cpu  10 0 10 80 0 0 0 0 0 0\n");
  EXPECT_EQ(source->sample(), (Cells{std::nullopt, std::nullopt}));
  root_.write("/proc/stat", "cpu  20 0 10 90 0 0 0 0 0 0\n");
  EXPECT_EQ(source->sample(), (Cells{50, 0}));
}

TEST_F(Sources, ProcStatComesBackAfterAVanishedFileAndGarbage) {
  root_.write("/proc/stat", "cpu  100 0 100 800 0 0 0 0 0 0\n");
  const auto source = make_proc_stat(options());
  root_.remove("/proc/stat");
  EXPECT_EQ(source->sample(), (Cells{std::nullopt, std::nullopt}));
  root_.write("/proc/stat", "cpu  x y z\n");
  EXPECT_EQ(source->sample(), (Cells{std::nullopt, std::nullopt}));
  root_.write("/proc/stat", "cpu  100 0 100 900 0 0 0 0 0 0\n");
  EXPECT_EQ(source->sample(), (Cells{std::nullopt, std::nullopt})) << "nothing to take a difference with";
  root_.write("/proc/stat", "cpu  150 0 100 950 0 0 0 0 0 0\n");
  EXPECT_EQ(source->sample(), (Cells{50, 0}));
}

TEST_F(Sources, MemoryCountsWhatNewWorkCannotHave) {
  root_.write("/proc/meminfo", "MemTotal: 1000 kB\nMemFree: 1 kB\nMemAvailable: 400 kB\nSwapTotal: 100 kB\nSwapFree: 75 kB\n");
  const auto source = make_memory(options());
  EXPECT_EQ(source->sample(), (Cells{600 * 1024, 400 * 1024, 25 * 1024}));
  root_.write("/proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 2000 kB\n");
  EXPECT_EQ(source->sample(), (Cells{std::nullopt, 2000 * 1024, std::nullopt}));
}

TEST_F(Sources, LoadAverageGivesTheMinuteAndTheMoment) {
  root_.write("/proc/loadavg", "0.42 0.30 0.21 3/512 12345\n");
  const auto source = make_loadavg(options());
  EXPECT_EQ(source->sample(), (Cells{0.42, 3}));
  root_.write("/proc/loadavg", "busy\n");
  EXPECT_EQ(source->sample(), (Cells{std::nullopt, std::nullopt}));
}

TEST_F(Sources, PressureIsTheShareOfTimeWaited) {
  root_.write("/proc/pressure/cpu", "some avg10=9.99 avg60=0.00 avg300=0.00 total=1000\nfull avg10=0.00 total=7\n")
      .write("/proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
  const auto source = make_pressure(options());
  clock_.now_ns += 100'000'000;
  root_.write("/proc/pressure/cpu", "some avg10=9.99 avg60=0.00 avg300=0.00 total=26000\n");
  EXPECT_EQ(source->sample(), (Cells{25, 0}));
  EXPECT_EQ(named(source->channels(), "pressure_io_percent").state, "not supported");
  clock_.now_ns += 100'000'000;
  root_.write("/proc/pressure/cpu", "some avg10=9.99 avg60=0.00 avg300=0.00 total=5\n");
  EXPECT_EQ(source->sample(), (Cells{std::nullopt, 0})) << "a counter that fell";
}

TEST_F(Sources, CpuClockPrefersCpufreq) {
  root_.write("/sys/devices/system/cpu/online", "0-1\n")
      .write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3000000\n")
      .write("/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "4000000\n")
      .write("/proc/cpuinfo", "cpu MHz\t\t: 1.000\n");
  const auto source = make_cpu_clock(options());
  EXPECT_EQ(source->sample(), (Cells{3500, 4000}));
  root_.remove("/sys/devices/system/cpu/cpu1/cpufreq");
  EXPECT_EQ(source->sample(), (Cells{3000, 3000})) << "a CPU went offline";
}

TEST_F(Sources, CpuClockReadsCpuinfoOnceASecondOtherwise) {
  root_.write("/sys/devices/system/cpu/online", "0-1\n").write("/proc/cpuinfo", "cpu MHz\t\t: 2000.5\n\ncpu MHz\t\t: 1000.5\n");
  const auto source = make_cpu_clock(options());
  EXPECT_EQ(source->sample(), (Cells{1500.5, 2000.5}));
  clock_.now_ns += 100'000'000;
  EXPECT_EQ(source->sample(), (Cells{std::nullopt, std::nullopt}));
  clock_.now_ns += 900'000'000;
  EXPECT_EQ(source->sample(), (Cells{1500.5, 2000.5}));
}

TEST_F(Sources, ThermalNamesZonesByTheirTypeEachOnce) {
  root_.write("/sys/class/thermal/thermal_zone0/type", "acpitz\n")
      .write("/sys/class/thermal/thermal_zone0/temp", "27800\n")
      .write("/sys/class/thermal/thermal_zone1/type", "acpitz\n")
      .write("/sys/class/thermal/thermal_zone1/temp", "-5000\n")
      .write("/sys/class/thermal/thermal_zone10/type", "x86_pkg_temp\n")
      .write("/sys/class/thermal/thermal_zone10/temp", "61000\n")
      .write("/sys/class/thermal/thermal_zone2/type", "Weird, \"type\"\n")
      .write("/sys/class/thermal/cooling_device0/type", "Fan\n");
  const auto source = make_thermal(options());
  std::vector<std::string> names;
  for (const Channel& channel : source->channels()) names.push_back(channel.name);
  EXPECT_THAT(names, testing::ElementsAre("temperature_acpitz_celsius", "temperature_acpitz_2_celsius",
                                          "temperature_weird_type_celsius", "temperature_x86_pkg_temp_celsius"));
  EXPECT_EQ(named(source->channels(), "temperature_weird_type_celsius").state, "not supported") << "it has no temp file";
  EXPECT_EQ(source->sample(), (Cells{27.8, -5, 61}));
  root_.remove("/sys/class/thermal/thermal_zone1");
  root_.write("/sys/class/thermal/thermal_zone10/temp", "hot\n");
  EXPECT_EQ(source->sample(), (Cells{27.8, std::nullopt, std::nullopt}));
}

FakeRoot& rapl_package(FakeRoot& root) {
  return root.write("/sys/class/powercap/intel-rapl:0/name", "package-0\n")
      .write("/sys/class/powercap/intel-rapl:0/max_energy_range_uj", "1000000\n")
      .write("/sys/class/powercap/intel-rapl:0/energy_uj", "900000\n");
}

TEST_F(Sources, RaplTakesTheWrapsOutOfItsCounter) {
  rapl_package(root_);
  const auto source = make_rapl(options());
  EXPECT_EQ(source->sample(), (Cells{0}));
  root_.write("/sys/class/powercap/intel-rapl:0/energy_uj", "950000\n");
  EXPECT_EQ(source->sample(), (Cells{50'000}));
  root_.write("/sys/class/powercap/intel-rapl:0/energy_uj", "30000\n");
  EXPECT_EQ(source->sample(), (Cells{130'000}));
}

TEST_F(Sources, RaplLosesNoEnergyOverAFailedReading) {
  rapl_package(root_);
  const auto source = make_rapl(options());
  source->sample();
  for (const char* broken : {"", "many\n", "-3\n", "2000000\n"}) {
    root_.write("/sys/class/powercap/intel-rapl:0/energy_uj", broken);
    EXPECT_EQ(source->sample(), (Cells{std::nullopt}));
  }
  root_.write("/sys/class/powercap/intel-rapl:0/energy_uj", "970000\n");
  EXPECT_EQ(source->sample(), (Cells{70'000}));
}

TEST_F(Sources, RaplTakesPackagesAndTheirMemoryButNothingTwice) {
  rapl_package(root_)
      .write("/sys/class/powercap/intel-rapl:0:0/name", "core\n")
      .write("/sys/class/powercap/intel-rapl:0:1/name", "dram\n")
      .write("/sys/class/powercap/intel-rapl:0:1/max_energy_range_uj", "1000\n")
      .write("/sys/class/powercap/intel-rapl:0:1/energy_uj", "1\n")
      .write("/sys/class/powercap/intel-rapl-mmio:0/name", "package-0\n");
  std::vector<std::string> names;
  for (const Channel& channel : make_rapl(options())->channels()) names.push_back(channel.name);
  EXPECT_THAT(names, testing::ElementsAre("rapl_package_0_microjoules", "rapl_dram_0_microjoules"));
}

TEST_F(Sources, RaplWithoutItsRangeIsNotTrusted) {
  rapl_package(root_);
  root_.remove("/sys/class/powercap/intel-rapl:0/max_energy_range_uj");
  const auto source = make_rapl(options());
  EXPECT_EQ(source->channels()[0].state, "not supported");
  EXPECT_TRUE(source->sample().empty());
}

TEST_F(Sources, RaplForbiddenToUsersIsNotPermittedRatherThanMissing) {
  rapl_package(root_);
  const std::filesystem::path counter = root_.below("/sys/class/powercap/intel-rapl:0/energy_uj");
  ASSERT_EQ(::chmod(root_.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(counter.c_str(), 0), 0);
  const bool root_user = ::geteuid() == 0;
  if (root_user) {
    ASSERT_EQ(::seteuid(65'534), 0);
  }
  const auto source = make_rapl(options());
  if (root_user) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  EXPECT_EQ(source->channels()[0].state, "not permitted");
  EXPECT_EQ(source->channels()[0].reason, "/sys/class/powercap/intel-rapl:0/energy_uj: Permission denied (errno 13)");
}

TEST_F(Sources, OnAMachineWithNothingHaveAReasonForEveryChannelAndNoCells) {
  for (const auto& source : make_sources(options())) {
    const std::vector<Channel> channels = source->channels();
    ASSERT_FALSE(channels.empty());
    for (const Channel& channel : channels) {
      EXPECT_EQ(channel.state, "not supported") << channel.name;
      EXPECT_NE(channel.reason, "") << channel.name;
    }
    EXPECT_TRUE(source->sample().empty()) << channels[0].source;
  }
}

TEST_F(Sources, OnThisMachineGiveOneCellForEveryChannelWithAValueUnderDistinctNames) {
  std::set<std::string> names;
  for (const auto& source : make_sources({})) {
    std::size_t expected = 0;
    for (const Channel& channel : source->channels()) {
      EXPECT_TRUE(names.insert(channel.name).second) << channel.name << " twice";
      EXPECT_TRUE(channel.name.ends_with("_" + channel.unit)) << channel.name;
      EXPECT_EQ(channel.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string::npos) << channel.name;
      EXPECT_NE(channel.meaning, "") << channel.name;
      if (channel.state == "value") ++expected;
    }
    EXPECT_EQ(source->sample().size(), expected);
  }
}

TEST_F(Sources, AreListedWithAPhraseEach) {
  EXPECT_EQ(list_sources().size(), make_sources(options()).size());
  for (const auto& [name, meaning] : list_sources()) EXPECT_FALSE(name.empty() || meaning.empty());
}

TEST(ColumnNamePart, MakesAColumnNameOfAnything) {
  EXPECT_EQ(column_name_part("Core 0"), "core_0");
  EXPECT_EQ(column_name_part("--x,,y--"), "x_y");
  EXPECT_EQ(column_name_part("\xff\n"), "unnamed");
  EXPECT_LE(column_name_part(std::string(500, 'a')).size(), 40U);
}

}  // namespace
}  // namespace etalon::measure
