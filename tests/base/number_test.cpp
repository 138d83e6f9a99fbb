// SPDX-License-Identifier: Apache-2.0
#include "base/number.h"

#include <clocale>
#include <limits>

#include <gtest/gtest.h>

namespace {

using namespace etalon::base;

TEST(Number, ReadsWholeTextsOnly) {
  EXPECT_EQ(parse_integer("-42"), -42);
  EXPECT_EQ(parse_integer("42 "), std::nullopt);
  EXPECT_EQ(parse_integer(""), std::nullopt);
  EXPECT_EQ(parse_integer("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse_double("1e3"), 1000.0);
  EXPECT_EQ(parse_double("1,5"), std::nullopt);
  EXPECT_EQ(parse_double("0x10"), std::nullopt);
}

TEST(Number, WritesTheShortestTextThatReadsBackToTheSameBits) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(1.0 / 3.0), "0.3333333333333333");
  for (const double value : {1.0 / 3.0, 1e-310, 123456789.123456789, std::numeric_limits<double>::max()})
    EXPECT_EQ(parse_double(to_text(value)), value);
}

TEST(Number, IgnoresTheLocale) {
  for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "C"}) {
    std::setlocale(LC_ALL, locale);
    EXPECT_EQ(to_text(1.5), "1.5");
    EXPECT_EQ(parse_double("1.5"), 1.5);
    EXPECT_EQ(to_human(1234.5), "1,234");
  }
  std::setlocale(LC_ALL, "C");
}

TEST(Number, IsRoundedAndGroupedForPeople) {
  EXPECT_EQ(to_human(0), "0");
  EXPECT_EQ(to_human(12345.678), "12,346");
  EXPECT_EQ(to_human(-1234567), "-1,234,567");
  EXPECT_EQ(to_human(0.031234), "0.03123");
  EXPECT_EQ(to_human(1.2345, 2), "1.2");
  EXPECT_EQ(to_human(std::numeric_limits<double>::infinity()), "inf");
}

}  // namespace
