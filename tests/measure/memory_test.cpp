// SPDX-License-Identifier: Apache-2.0
// Host memory in use.
#include <gtest/gtest.h>

#include "measure/source_fixture.h"

namespace etalon::measure {
namespace {

class MemorySource : public SourceTest {};

TEST_F(MemorySource, CountsWhatNewWorkCannotHave) {
  root_.write("/proc/meminfo",
              "MemTotal: 1000 kB\nMemFree: 1 kB\nMemAvailable: 400 kB\nSwapTotal: 100 kB\nSwapFree: 75 kB\n");
  const auto source = make_memory(options());
  EXPECT_EQ(source->sample(), (Cells{600 * 1024, 400 * 1024, 25 * 1024}));
  root_.write("/proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 2000 kB\n");
  EXPECT_EQ(source->sample(), (Cells{std::nullopt, 2000 * 1024, std::nullopt}));
}

}  // namespace
}  // namespace etalon::measure
