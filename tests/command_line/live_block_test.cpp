// SPDX-License-Identifier: Apache-2.0
// What is sent to a terminal to rewrite a few lines.
#include "command_line/live_block.h"

#include <sstream>

#include <gtest/gtest.h>

namespace etalon::command_line {
namespace {

struct Drawn {
  std::ostringstream stream;
  TerminalSize size{20, 10};
  LiveBlock block{stream, [this] { return size; }};

  std::string draw(const std::vector<std::string>& lines) {
    stream.str("");
    block.draw(lines);
    return stream.str();
  }
};

TEST(LiveBlock, RewritesItsOwnLinesAndNoOther) {
  Drawn drawn;
  EXPECT_EQ(drawn.draw({"one", "two", "three"}), "\x1b[2Kone\n\x1b[2Ktwo\n\x1b[2Kthree\x1b[J");
  EXPECT_EQ(drawn.draw({"1", "2"}), "\r\x1b[2A\x1b[2K1\n\x1b[2K2\x1b[J");
  drawn.stream.str("");
  drawn.block.clear();
  EXPECT_EQ(drawn.stream.str(), "\r\x1b[1A\x1b[J");
  EXPECT_EQ(drawn.draw({"again"}), "\x1b[2Kagain\x1b[J");
}

TEST(LiveBlock, CutsLinesToTheWidthByCharactersAndNotByBytesOrColours) {
  Drawn drawn;
  drawn.size.columns = 5;
  EXPECT_EQ(drawn.draw({"äöüß€"}), "\x1b[2Käöüß\x1b[0m\x1b[J");
  EXPECT_EQ(drawn.draw({"\x1b[1mab\x1b[0mcd"}), "\r\x1b[2K\x1b[1mab\x1b[0mcd\x1b[J");
}

TEST(LiveBlock, ShowsWhatFitsIntoTheRows) {
  Drawn drawn;
  drawn.size.rows = 3;
  EXPECT_EQ(drawn.draw({"1", "2", "3", "4"}), "\x1b[2K1\n\x1b[2K2\x1b[J");
}

TEST(LiveBlock, BeginsBelowWhenTheTerminalBecameNarrower) {
  Drawn drawn;
  drawn.draw({"a long line", "b"});
  drawn.size.columns = 8;
  EXPECT_EQ(drawn.draw({"a", "b"}), "\n\x1b[2Ka\n\x1b[2Kb\x1b[J");
}

TEST(Styled, AddsNothingWithoutColours) {
  EXPECT_EQ(styled("x", Style::good, false), "x");
  EXPECT_EQ(styled("x", Style::good, true), "\x1b[32mx\x1b[0m");
  EXPECT_EQ(styled("x", Style::plain, true), "x");
}

}  // namespace
}  // namespace etalon::command_line
