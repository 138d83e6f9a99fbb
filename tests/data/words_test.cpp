// SPDX-License-Identifier: Apache-2.0
// GPT-2's first cut, case by case of its pattern.
#include "worker/data/tokenizers/words.h"

#include <string>
#include <vector>

#include "data/fixture.h"

namespace etalon::data {
namespace {

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  while (!text.empty()) {
    const std::size_t bytes = first_word(text);
    found.emplace_back(text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return found;
}

using Words = std::vector<std::string>;

TEST(Words, CarryTheBlankBeforeThem) {
  EXPECT_EQ(words("one two  three"), (Words{"one", " two", " ", " three"}));
  EXPECT_EQ(words(" 12 x3"), (Words{" 12", " x", "3"}));
  EXPECT_EQ(words("a, (b)"), (Words{"a", ",", " (", "b", ")"}));
}

TEST(Words, SplitContractionsInLowerCaseOnly) {
  EXPECT_EQ(words("we'll I'm"), (Words{"we", "'ll", " I", "'m"}));
  EXPECT_EQ(words("we'LL"), (Words{"we", "'", "LL"}));
  EXPECT_EQ(words("'sx"), (Words{"'s", "x"}));
}

TEST(Words, DoNotSplitAContractionInsideOtherSymbols) {
  EXPECT_EQ(words("!'s"), (Words{"!'", "s"}));
  EXPECT_EQ(words(" 's"), (Words{" '", "s"}));
}

TEST(Words, LeaveTheLastBlankOfARunToTheWordThatFollows) {
  EXPECT_EQ(words("a   b"), (Words{"a", "  ", " b"}));
  EXPECT_EQ(words("a\n\nb"), (Words{"a", "\n", "\n", "b"}));
  EXPECT_EQ(words("a  \n"), (Words{"a", "  \n"}));
  EXPECT_EQ(words(" "), (Words{" "}));
}

TEST(Words, KnowLettersNumbersAndBlanksOfAllScripts) {
  EXPECT_EQ(words("日本語 ½٣"), (Words{"日本語", " ½٣"}));
  EXPECT_EQ(words("e\u0301x"), (Words{"e", "\u0301", "x"}));  // a combining accent is no letter
  EXPECT_EQ(words("a\u3000b"), (Words{"a", "\u3000", "b"}));
  EXPECT_EQ(words("a\u200bb"), (Words{"a", "\u200b", "b"}));  // zero-width space is no white space
}

TEST(Words, TakeBytesThatAreNoTextOneByOneAsSymbols) {
  EXPECT_EQ(words("a\xFF\xFE!b"), (Words{"a", "\xFF\xFE!", "b"}));
  EXPECT_EQ(words("\xE3\x81"), (Words{"\xE3\x81"}));          // cut in the middle of a character
  EXPECT_EQ(words(" \xC0\xAF "), (Words{" \xC0\xAF", " "}));  // overlong
}

}  // namespace
}  // namespace etalon::data
