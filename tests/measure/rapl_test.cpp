// SPDX-License-Identifier: Apache-2.0
// RAPL counters: wraps, lost readings, refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measure/source_fixture.h"

namespace etalon::measure {
namespace {

class RaplSource : public SourceTest {};

FakeRoot& rapl_package(FakeRoot& root) {
  return root.write("/sys/class/powercap/intel-rapl:0/name", "package-0\n")
      .write("/sys/class/powercap/intel-rapl:0/max_energy_range_uj", "1000000\n")
      .write("/sys/class/powercap/intel-rapl:0/energy_uj", "900000\n");
}

TEST_F(RaplSource, TakesTheWrapsOutOfItsCounter) {
  rapl_package(root_);
  const auto source = make_rapl(options());
  EXPECT_EQ(source->sample(), (Cells{0}));
  root_.write("/sys/class/powercap/intel-rapl:0/energy_uj", "950000\n");
  EXPECT_EQ(source->sample(), (Cells{50'000}));
  root_.write("/sys/class/powercap/intel-rapl:0/energy_uj", "30000\n");
  EXPECT_EQ(source->sample(), (Cells{130'000}));
}

TEST_F(RaplSource, LosesNoEnergyOverAFailedReading) {
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

TEST_F(RaplSource, TakesPackagesAndTheirMemoryButNothingTwice) {
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

TEST_F(RaplSource, WithoutItsRangeIsNotTrusted) {
  rapl_package(root_);
  root_.remove("/sys/class/powercap/intel-rapl:0/max_energy_range_uj");
  const auto source = make_rapl(options());
  EXPECT_EQ(source->channels()[0].state, "not supported");
  EXPECT_TRUE(source->sample().empty());
}

TEST_F(RaplSource, ForbiddenToUsersIsNotPermittedRatherThanMissing) {
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

}  // namespace
}  // namespace etalon::measure
