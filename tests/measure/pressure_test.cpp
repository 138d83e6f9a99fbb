// SPDX-License-Identifier: Apache-2.0
// Pressure stall information as a share of the time between rows.
#include <gtest/gtest.h>

#include "measure/source_fixture.h"

namespace etalon::measure {
namespace {

class PressureSource : public SourceTest {};

TEST_F(PressureSource, IsTheShareOfTimeWaited) {
  root_.write("/proc/pressure/cpu", "some avg10=9.99 avg60=0.00 avg300=0.00 total=1000\nfull avg10=0.00 total=7\n")
      .write("/proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
  const auto source = make_pressure(options());
  now_ns_ += 100'000'000;
  root_.write("/proc/pressure/cpu", "some avg10=9.99 avg60=0.00 avg300=0.00 total=26000\n");
  EXPECT_EQ(source->sample(), (Cells{25, 0}));
  EXPECT_EQ(named(source->channels(), "pressure_io_percent").state, "not supported");
  now_ns_ += 100'000'000;
  root_.write("/proc/pressure/cpu", "some avg10=9.99 avg60=0.00 avg300=0.00 total=5\n");
  EXPECT_EQ(source->sample(), (Cells{std::nullopt, 0})) << "a counter that fell";
}

}  // namespace
}  // namespace etalon::measure
