// SPDX-License-Identifier: Apache-2.0
// CPU time in use: shares by hand, counters that fall, files that vanish.
#include <gtest/gtest.h>

#include "measure/source_fixture.h"

namespace etalon::measure {
namespace {

class ProcStatSource : public SourceTest {};

TEST_F(ProcStatSource, GivesTheShareOfTimeSinceTheRowBefore) {
  root_.write("/proc/stat", "cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 1 2 3 4\n");
  const auto source = make_proc_stat(options());
  // 100 ticks more: 60 in user, 5 of them stolen elsewhere, 30 idle, 5 waiting for I/O.
  root_.write("/proc/stat", "cpu  160 0 100 830 5 0 0 5 0 0\n");
  EXPECT_EQ(source->sample(), (Cells{65, 5}));
  EXPECT_EQ(named(source->channels(), "cpu_use_percent").state, "value");
}

TEST_F(ProcStatSource, LeavesCellsEmptyWhenNoTimePassedOrTheCountersFell) {
  root_.write("/proc/stat", "cpu  100 0 100 800 0 0 0 0 0 0\n");
  const auto source = make_proc_stat(options());
  EXPECT_EQ(source->sample(), (Cells{std::nullopt, std::nullopt}));
  root_.write("/proc/stat", "cpu  10 0 10 80 0 0 0 0 0 0\n");
  EXPECT_EQ(source->sample(), (Cells{std::nullopt, std::nullopt}));
  root_.write("/proc/stat", "cpu  20 0 10 90 0 0 0 0 0 0\n");
  EXPECT_EQ(source->sample(), (Cells{50, 0}));
}

TEST_F(ProcStatSource, ComesBackAfterAVanishedFileAndGarbage) {
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

}  // namespace
}  // namespace etalon::measure
