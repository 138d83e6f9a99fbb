// SPDX-License-Identifier: Apache-2.0
// Byte pair encoding with a handful of pairs, and what is refused of its file.
#include "worker/data/tokenizers/byte_pairs.h"

#include "data/fixture.h"

namespace etalon::data {
namespace {

using data_test::expect_failure;

// In GPT-2's numbering '!' is 0, so 'a' is 64, 'b' 65, 'c' 66; written "Ġ" stands for the blank (byte 32), number 220.
std::vector<std::uint32_t> encode(const std::string& merges, std::string_view word) {
  std::vector<std::uint32_t> ids;
  BytePairs(merges, "merges").encode(word, ids);
  return ids;
}

using Ids = std::vector<std::uint32_t>;

TEST(BytePairs, NumbersBytesAsGpt2Does) {
  EXPECT_EQ(encode("a b\n", "!~ \n\xFF"), (Ids{0, 93, 220, 198, 187}));
  EXPECT_EQ(encode("a b\n", std::string_view("\0\xAD", 2)), (Ids{188, 255}));
}

TEST(BytePairs, JoinsWhatWasLearntFirst) {
  EXPECT_EQ(encode("b c\na b\n", "abc"), (Ids{64, 256}));
  EXPECT_EQ(encode("a b\nb c\n", "abc"), (Ids{256, 66}));
  EXPECT_EQ(encode("a b\nab c\n", "abcab"), (Ids{257, 256}));
}

TEST(BytePairs, JoinsEqualPairsFromTheLeft) {
  EXPECT_EQ(encode("a a\n", "aaaaa"), (Ids{256, 256, 64}));
  EXPECT_EQ(encode("a a\naa aa\n", "aaaaaaa"), (Ids{257, 256, 64}));
}

TEST(BytePairs, ReadsTheVersionLineWindowsLinesAndWrittenBlanks) {
  EXPECT_EQ(encode("#version: 0.2\r\nĠ a\r\nĠa b\r\n", " ab"), (Ids{257}));
  EXPECT_EQ(BytePairs("#version: 0.2\na b\n", "merges").size(), 257);
}

TEST(BytePairs, EncodesAMegabyteWithoutABlank) {
  EXPECT_EQ(encode("a a\naa aa\n", std::string(1'000'000, 'a')).size(), 250'000U);
}

TEST(BytePairs, RefusesWhatIsNoListOfPairsWithItsLine) {
  const auto refused = [](const std::string& merges, const std::string& words) {
    expect_failure([&] { BytePairs(merges, "merges"); }, words);
  };
  refused("", "merges holds no pairs");
  refused("#version: 0.2\n", "merges holds no pairs");
  refused("a b\nabc\n", "merges:2: it is no pair");
  refused("a b c\n", "merges:1: it is no pair");
  refused("a \n", "merges:1: a part is empty");
  refused("a 日\n", "merges:1: a part is empty, or holds a character that stands for no byte");
  refused("a \xFF\n", "merges:1: a part is empty, or holds");
  refused("ab c\n", "merges:1: no earlier line makes one of its parts");
  refused("a b\na b\n", "merges:2: an earlier line makes the same token");
}

}  // namespace
}  // namespace etalon::data
