// SPDX-License-Identifier: Apache-2.0
// CPU clocks from cpufreq, and from /proc/cpuinfo once a second.
#include <gtest/gtest.h>

#include "measure/source_fixture.h"

namespace etalon::measure {
namespace {

class CpuClockSource : public SourceTest {};

TEST_F(CpuClockSource, PrefersCpufreq) {
  root_.write("/sys/devices/system/cpu/online", "0-1\n")
      .write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3000000\n")
      .write("/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "4000000\n")
      .write("/proc/cpuinfo", "cpu MHz\t\t: 1.000\n");
  const auto source = make_cpu_clock(options());
  EXPECT_EQ(source->sample(), (Cells{3500, 4000}));
  root_.remove("/sys/devices/system/cpu/cpu1/cpufreq");
  EXPECT_EQ(source->sample(), (Cells{3000, 3000})) << "a CPU went offline";
}

TEST_F(CpuClockSource, ReadsCpuinfoOnceASecondOtherwise) {
  root_.write("/sys/devices/system/cpu/online", "0-1\n")
      .write("/proc/cpuinfo", "cpu MHz\t\t: 2000.5\n\ncpu MHz\t\t: 1000.5\n");
  const auto source = make_cpu_clock(options());
  EXPECT_EQ(source->sample(), (Cells{1500.5, 2000.5}));
  now_ns_ += 100'000'000;
  EXPECT_EQ(source->sample(), (Cells{std::nullopt, std::nullopt}));
  now_ns_ += 900'000'000;
  EXPECT_EQ(source->sample(), (Cells{1500.5, 2000.5}));
}

}  // namespace
}  // namespace etalon::measure
