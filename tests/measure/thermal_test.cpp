// SPDX-License-Identifier: Apache-2.0
// Thermal zones: names, duplicates, odd answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/source_fixture.h"

namespace etalon::measure {
namespace {

class ThermalSource : public SourceTest {};

TEST_F(ThermalSource, NamesZonesByTheirTypeEachOnce) {
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
  EXPECT_EQ(named(source->channels(), "temperature_weird_type_celsius").state, "not supported")
      << "it has no temp file";
  EXPECT_EQ(source->sample(), (Cells{27.8, -5, 61}));
  root_.remove("/sys/class/thermal/thermal_zone1");
  root_.write("/sys/class/thermal/thermal_zone10/temp", "hot\n");
  EXPECT_EQ(source->sample(), (Cells{27.8, std::nullopt, std::nullopt}));
}

}  // namespace
}  // namespace etalon::measure
