// SPDX-License-Identifier: Apache-2.0
// From texts to shards and back; a tokenizer trained on the way.
#include "worker/data/make_shards.h"

#include "base/file.h"
#include "data/fixture.h"
#include "worker/data/counter_random.h"
#include "worker/data/shard.h"
#include "worker/data/token_source.h"
#include "worker/data/tokenizers/tokenizer.h"

namespace etalon::data {
namespace {

using data_test::expect_failure;
using data_test::write;

/// Lines of made-up words: enough of them that pairs come again and again.
std::string babble(std::size_t lines, std::int64_t seed) {
  constexpr std::string_view syllables[] = {"ka", "to", "mi", "re", "lan", "sor", "é", "12", "the", "ing", "un", "pa"};
  std::string text;
  std::uint64_t counter = stream_key("babble", seed);
  for (std::size_t line = 0; line < lines; ++line) {
    const std::uint64_t words = 3 + below(splitmix64(counter++), 9);
    for (std::uint64_t word = 0; word < words; ++word) {
      text += word == 0 ? "" : " ";
      for (std::uint64_t part = 0; part <= below(splitmix64(counter), 4); ++part)
        text += syllables[below(splitmix64(counter + 7 * part), std::size(syllables))];
      ++counter;
    }
    text += line % 10 == 9 ? ".\n\n" : ".\n";
  }
  return text;
}

class MakeShards : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    first_ = write(*folder_, "first.txt", babble(1000, 1));
    second_ = write(*folder_, "second.txt", babble(300, 2));
    made_ = make_shards({.folder = *folder_ / "shards",
                         .texts = {first_, second_},
                         .tokenizer = "",
                         .vocabulary = 400,
                         .tokens_per_shard = 5'000});
    tokenizer_ = make_tokenizer("sentencepiece:" + (*folder_ / "shards/tokenizer.model").string());
  }
  static void TearDownTestSuite() {
    tokenizer_.reset();
    delete folder_;
  }
  static std::vector<std::uint32_t> encode(std::string_view text) {
    std::vector<std::uint32_t> ids;
    tokenizer_->encode(text, ids);
    return ids;
  }
  static inline std::unique_ptr<Tokenizer> tokenizer_;
  static inline TemporaryFolder* folder_ = nullptr;
  static inline std::filesystem::path first_;
  static inline std::filesystem::path second_;
  static inline base::Json made_;
};

TEST_F(MakeShards, TrainsATokenizerOfTheSizeAskedFor) {
  EXPECT_EQ(tokenizer_->vocabulary(), 400);
  EXPECT_EQ(made_["vocabulary"], 400);
  EXPECT_EQ(tokenizer_->end_of_document(), 2U);
  EXPECT_LT(encode("the katoing").size(), 8U);
  EXPECT_EQ(encode("\n").size(), 2U);  // the blank before every text, and the newline's byte
}

TEST_F(MakeShards, WritesAllTokensOfAllTextsInOrder) {
  std::vector<std::int64_t> read;
  for (const base::Json& file : made_["shards"]) {
    const Shard shard = open_shard(file["file"].get<std::string>(), 400);
    EXPECT_EQ(shard.tokens.size(), file["tokens"]);
    std::vector<std::int64_t> tokens(static_cast<std::size_t>(shard.tokens.size()));
    shard.tokens.copy(0, tokens);
    read.insert(read.end(), tokens.begin(), tokens.end());
  }
  std::vector<std::int64_t> expected;
  for (const std::uint32_t id : encode(base::read_file(first_))) expected.push_back(id);
  expected.push_back(2);
  for (const std::uint32_t id : encode(base::read_file(second_))) expected.push_back(id);
  EXPECT_EQ(read, expected);
  EXPECT_GE(made_["shards"].size(), 3U);
  EXPECT_EQ(made_["shards"].back()["tokens"], expected.size() / 100);
}

TEST_F(MakeShards, MakesWhatTheTokensSourceReads) {
  TokenRequest request;
  request.source = "tokens:" + (*folder_ / "shards").string();
  request.context = 64;
  request.vocabulary = 400;
  const base::Json description = make_token_source(request)->description();
  EXPECT_EQ(description["held_out_tokens"], made_["shards"].back()["tokens"]);
  EXPECT_EQ(description["training_tokens"].get<std::int64_t>() + description["held_out_tokens"].get<std::int64_t>(),
            made_["tokens"].get<std::int64_t>());
}

TEST_F(MakeShards, GivesALongTextTheIdsOfItsParts) {
  // Beyond a mebibyte the text is cut before newlines: each line's tokens must be those that it has alone, without the blank
  // that the library puts before a text.
  std::string text = base::read_file(second_);
  while (text.size() < 1'200'000) text += text;
  std::vector<std::uint32_t> expected;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start + 1), text.size());
    const std::vector<std::uint32_t> line = encode(text.substr(start, end - start));
    expected.insert(expected.end(), line.begin() + (start == 0 ? 0 : 1), line.end());
    start = end;
  }
  EXPECT_EQ(encode(text), expected);
}

TEST_F(MakeShards, OverwritesNothing) {
  EXPECT_ANY_THROW(make_shards({.folder = *folder_ / "shards", .texts = {second_}, .tokenizer = "bytes"}));
}

TEST(MakeShardsRefuses, MissingTextsTooLittleOfThemAndATokenizerThatCannotBe) {
  const TemporaryFolder folder;
  expect_failure([&] { make_shards({.folder = folder / "a", .texts = {}}); }, "there is no text");
  expect_failure([&] { make_shards({.folder = folder / "a", .texts = {folder / "absent"}}); }, "absent is no file");
  const auto text = write(folder, "short.txt", "a few words only\n");
  expect_failure([&] { make_shards({.folder = folder / "b", .texts = {text}}); }, "no tokenizer of 32000 pieces");
  expect_failure([&] { make_shards({.folder = folder / "c", .texts = {text}, .tokenizer = "bytes"}); },
                 "17 tokens are too few");
}

}  // namespace
}  // namespace etalon::data
