// SPDX-License-Identifier: Apache-2.0
// Load average and runnable tasks.
#include <gtest/gtest.h>

#include "measure/source_fixture.h"

namespace etalon::measure {
namespace {

class LoadAverageSource : public SourceTest {};

TEST_F(LoadAverageSource, GivesTheMinuteAndTheMoment) {
  root_.write("/proc/loadavg", "0.42 0.30 0.21 3/512 12345\n");
  const auto source = make_loadavg(options());
  EXPECT_EQ(source->sample(), (Cells{0.42, 3}));
  root_.write("/proc/loadavg", "busy\n");
  EXPECT_EQ(source->sample(), (Cells{std::nullopt, std::nullopt}));
}

}  // namespace
}  // namespace etalon::measure
