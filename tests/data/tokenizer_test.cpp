// SPDX-License-Identifier: Apache-2.0
// Tokenizers against ids of published ones, and the documents of a text.
#include "worker/data/tokenizers/tokenizer.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "data/fixture.h"

namespace etalon::data {
namespace {

using data_test::expect_failure;
using data_test::write;
using Ids = std::vector<std::uint32_t>;

base::Json reference() {
  const std::string path = std::string(ETALON_FIXTURES) + "/tokenizers/gpt2.json";
  return base::parse_json(base::read_file(path), path);
}

Ids encode(Tokenizer& tokenizer, std::string_view text) {
  Ids ids;
  tokenizer.encode(text, ids);
  return ids;
}

std::string hash_of(const Ids& ids) {
  std::string bytes;
  for (const std::uint32_t id : ids) {
    bytes += static_cast<char>(id & 0xFF);
    bytes += static_cast<char>(id >> 8);
  }
  return base::sha256(bytes);
}

class Gpt2 : public testing::Test {
 protected:
  void SetUp() override {
    if (data_test::large_data().empty()) GTEST_SKIP() << "no data";
    tokenizer_ = make_tokenizer("gpt2:" + (data_test::large_data() / "tokenizer/gpt2_vocab.bpe").string());
  }
  std::unique_ptr<Tokenizer> tokenizer_;
};

TEST_F(Gpt2, GivesTheIdsOfThePublishedTokenizerForTrickyTexts) {
  const base::Json texts = reference()["texts"];
  for (const base::Json& example : texts) {
    const auto text = example["text"].get<std::string>();
    EXPECT_EQ(encode(*tokenizer_, text), example["ids"].get<Ids>()) << text;
  }
}

TEST_F(Gpt2, GivesTheIdsOfThePublishedTokenizerForWholeBooks) {
  const base::Json files = reference()["files"];
  for (const auto& [file, expected] : files.items()) {
    const Ids ids = encode(*tokenizer_, base::read_file(data_test::large_data() / "text" / file));
    EXPECT_EQ(ids.size(), expected["tokens"].get<std::size_t>()) << file;
    EXPECT_EQ(hash_of(ids), expected["sha256"].get<std::string>()) << file;
  }
}

TEST_F(Gpt2, NumbersEveryTokenAsThePublishedTableDoes) {
  EXPECT_EQ(tokenizer_->vocabulary(), 50'257);
  EXPECT_EQ(tokenizer_->end_of_document(), 50'256U);
  const std::filesystem::path path = data_test::large_data() / "tokenizer/gpt2_encoder.json";
  const auto table = nlohmann::json::parse(base::read_file(path));  // sorted: fifty thousand keys
  std::size_t compared = 0;
  for (const auto& [written, id] : table.items()) {
    const bool plain = std::all_of(written.begin(), written.end(), [](char letter) { return letter > 0x20; });
    if (!plain || written == "<|endoftext|>" || ++compared % 7 != 0) continue;
    // A token's own text need not encode to that token alone, but one id is always right where only one comes.
    const Ids ids = encode(*tokenizer_, written);
    if (ids.size() > 1) continue;
    EXPECT_EQ(ids.front(), id.get<std::uint32_t>()) << written;
  }
  EXPECT_GT(compared, 15'000U);
}

TEST(Tokenizer, OfBytesIsTheTextItself) {
  const auto tokenizer = make_tokenizer("bytes");
  EXPECT_EQ(encode(*tokenizer, "a\xFF"), (Ids{97, 255}));
  EXPECT_EQ(tokenizer->vocabulary(), 256);
  EXPECT_EQ(tokenizer->run({"abc", {1, 3}}).size(), 3);
}

TEST(Tokenizer, PutsTheEndOfADocumentBetweenTwo) {
  const TemporaryFolder folder;
  const auto tokenizer = make_tokenizer("gpt2:" + write(folder, "merges.txt", "a b\n").string());
  const TokenRun run = tokenizer->run({"abcabab", {3, 5, 7}});
  std::vector<std::int64_t> ids(static_cast<std::size_t>(run.size()));
  run.copy(0, ids);
  EXPECT_EQ(ids, (std::vector<std::int64_t>{256, 66, 257, 256, 257, 256}));
}

TEST(Tokenizer, RefusesAnUnknownNameAndAMissingFile) {
  expect_failure([] { make_tokenizer("wordpiece"); }, "tokenizer \"wordpiece\" is not one of this worker's");
  expect_failure([] { make_tokenizer("gpt2:"); }, "is not one");
  expect_failure([] { make_tokenizer("gpt2:/absent/vocab.bpe"); }, "/absent/vocab.bpe");
  expect_failure([] { make_tokenizer("sentencepiece:/absent/tokenizer.model"); }, "/absent/tokenizer.model");
}

TEST(Tokenizer, RefusesAFileThatIsNoSentencepieceModel) {
  const TemporaryFolder folder;
  expect_failure([&] { make_tokenizer("sentencepiece:" + write(folder, "empty.model", "").string()); },
                 "is no sentencepiece model");
  expect_failure([&] { make_tokenizer("sentencepiece:" + write(folder, "text.model", "hello").string()); },
                 "is no sentencepiece model");
}

}  // namespace
}  // namespace etalon::data
