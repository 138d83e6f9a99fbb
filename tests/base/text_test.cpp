// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"

namespace {

using namespace etalon::base;

TEST(Nearest, FindsTheWordThatWasMeant) {
  const std::vector<std::string> keys{"micro_batch", "accumulation", "precision"};
  EXPECT_EQ(nearest("microbatch", keys), "micro_batch");
  EXPECT_EQ(nearest("presicion", keys), "precision");
  EXPECT_EQ(nearest("colour", keys), "");
  EXPECT_EQ(nearest("x", {}), "");
}

TEST(Printable, TakesTheTeethOutOfTerminalSequences) {
  EXPECT_EQ(printable("a\x1b[2Jb\n"), "a\\x1b[2Jb\\n");
  EXPECT_EQ(printable("étalon", 2), "é…");
}

TEST(Columns, AlignsByCharactersNotBytes) { EXPECT_EQ(columns({{"é", "1"}, {"abc", "2"}}, ""), "é    1\nabc  2\n"); }

TEST(Wrapped, BreaksAtBlanksByCharacters) {
  EXPECT_EQ(wrapped("étalon is a measure", 11), "étalon is a\nmeasure");
  EXPECT_EQ(wrapped("incomprehensible a", 5), "incomprehensible\na");
}

TEST(Split, KeepsEmptyParts) { EXPECT_THAT(split("a,,b", ','), testing::ElementsAre("a", "", "b")); }

TEST(Human, ChoosesTheUnit) {
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(1500), "1.5 kB");
  EXPECT_EQ(human_bytes(2.5e10), "25 GB");
  EXPECT_EQ(human_duration(0.85), "850 ms");
  EXPECT_EQ(human_duration(80), "1 min 20 s");
  EXPECT_EQ(human_duration(7200), "2 h");
}

TEST(Clock, NamesMomentsInUtc) {
  EXPECT_EQ(utc_timestamp(1'764'592'496'789'000'000), "2025-12-01T12:34:56.789Z");
  const std::int64_t before = monotonic_ns();
  EXPECT_LE(before, monotonic_ns());
}

}  // namespace
