// SPDX-License-Identifier: Apache-2.0
// All telemetry sources together: what each promises on any machine.
#include <gtest/gtest.h>

#include <set>

#include "measure/source_fixture.h"
#include "measure/sources/channel.h"

namespace etalon::measure {
namespace {

class Sources : public SourceTest {};

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
      EXPECT_EQ(channel.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string::npos)
          << channel.name;
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
