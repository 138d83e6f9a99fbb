// SPDX-License-Identifier: Apache-2.0
// Shards as llm.c and nanoGPT write them, and what is refused with its place.
#include "worker/data/shard.h"

#include <numeric>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "data/fixture.h"
#include "worker/data/token_source.h"

namespace etalon::data {
namespace {

using data_test::expect_failure;
using data_test::write;

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int byte = 0; byte < bytes; ++byte) text += static_cast<char>(value >> (8 * byte) & 0xFF);
  return text;
}

/// 256 words: magic, version, count, zeros.
std::string header(std::uint32_t magic, std::uint32_t version, std::uint32_t tokens) {
  return little_endian(magic, 4) + little_endian(version, 4) + little_endian(tokens, 4) + std::string(253 * 4, '\0');
}

std::string ids(const std::vector<std::uint32_t>& values, int bytes) {
  std::string text;
  for (const std::uint32_t value : values) text += little_endian(value, bytes);
  return text;
}

std::vector<std::int64_t> all(const TokenRun& run) {
  std::vector<std::int64_t> tokens(static_cast<std::size_t>(run.size()));
  run.copy(0, tokens);
  return tokens;
}

using Tokens = std::vector<std::int64_t>;

TEST(Shard, OfLlmCForGpt2HasAHeaderAndTwoBytesPerId) {
  const TemporaryFolder folder;
  const std::string text = header(20240520, 1, 4) + ids({50256, 0, 17, 50256}, 2);
  const Shard shard = open_shard(write(folder, "x.bin", text), 50257);
  EXPECT_EQ(shard.layout.format, "llm.c, GPT-2");
  EXPECT_EQ(all(shard.tokens), (Tokens{50256, 0, 17, 50256}));
  EXPECT_EQ(shard.documents, 2);
  EXPECT_EQ(shard.bytes, 1032U);
  EXPECT_EQ(shard.sha256, base::sha256(text));
}

TEST(Shard, OfLlmCForLlama3HasFourBytesPerId) {
  const TemporaryFolder folder;
  const Shard shard = open_shard(write(folder, "x.bin", header(20240801, 7, 3) + ids({128000, 70000, 5}, 4)), 128256);
  EXPECT_EQ(shard.layout.format, "llm.c, Llama-3");
  EXPECT_EQ(all(shard.tokens), (Tokens{128000, 70000, 5}));
  EXPECT_EQ(shard.documents, 1);
}

TEST(Shard, OfNanoGptIsNothingButIdsOfTwoBytes) {
  const TemporaryFolder folder;
  const Shard shard = open_shard(write(folder, "train.bin", ids({1, 2, 65535}, 2)), 65536);
  EXPECT_EQ(shard.layout.format, "nanoGPT");
  EXPECT_EQ(all(shard.tokens), (Tokens{1, 2, 65535}));
}

TEST(Shard, IsRefusedWithItsPlaceWhenIdsGoBeyondTheVocabulary) {
  const TemporaryFolder folder;
  std::vector<std::uint32_t> many(70'000, 5);
  many[66'000] = 300;
  expect_failure([&] { open_shard(write(folder, "train.bin", ids(many, 2)), 256); },
                 "train.bin: token 66000 is 300, the model's vocabulary ends at 255");
}

TEST(Shard, IsRefusedWhenHeaderAndLengthDisagree) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text, const std::string& words) {
    expect_failure([&] { open_shard(write(folder, "x.bin", text), 50257); }, words);
  };
  refused("", "x.bin: it is empty");
  refused("abc", "half a token at its end: 3 bytes");
  refused(header(20240520, 1, 3) + ids({1, 2}, 2), "promises 3 tokens (6 bytes), 4 bytes follow");
  refused(header(20240520, 1, 1) + ids({1, 2}, 2), "promises 1 tokens (2 bytes), 4 bytes follow");
  refused(header(20240801, 7, 1) + ids({1}, 2), "promises 1 tokens (4 bytes), 2 bytes follow");
  refused(header(20240520, 2, 1) + ids({1}, 2), "version 2, this étalon reads version 1");
  refused(header(20240520, 1, 0), "promises 0 tokens");
  refused(header(20240520, 1, 0x80000000U), "promises -2147483648 tokens");
  refused(header(20240520, 1, 1).substr(0, 500), "it ends inside its header, after 500 of 1024 bytes");
  refused(header(20240522, 1, 1) + ids({1}, 2), "it is an evaluation file of llm.c");
  expect_failure([&] { open_shard(folder / "absent.bin", 256); }, "cannot read");
  expect_failure([&] { open_shard(folder.path(), 256); }, "cannot read");
}

TEST(Shard, IsWrittenAsItIsRead) {
  const TemporaryFolder folder;
  const std::vector<std::uint32_t> values{7, 0, 31999};
  write_shard(folder / "small.bin", values, 32000);
  EXPECT_EQ(base::read_file(folder / "small.bin"), header(20240520, 1, 3) + ids(values, 2));
  write_shard(folder / "large.bin", values, 128256);
  EXPECT_EQ(base::read_file(folder / "large.bin"), header(20240801, 7, 3) + ids(values, 4));
  EXPECT_ANY_THROW(write_shard(folder / "small.bin", values, 32000));  // nothing is overwritten
}

TEST(FindShards, TakesAFileAFolderOrAPattern) {
  const TemporaryFolder folder;
  for (const char* name : {"b.bin", "a.bin", "a.txt", ".c.bin"}) write(folder, name, "xx");
  const auto names = [](const std::vector<std::filesystem::path>& paths) {
    std::string joined;
    for (const auto& path : paths) joined += path.filename().string() + " ";
    return joined;
  };
  EXPECT_EQ(names(find_shards((folder / "a.txt").string())), "a.txt ");
  EXPECT_EQ(names(find_shards(folder.path().string())), "a.bin b.bin ");
  EXPECT_EQ(names(find_shards((folder / "?.bin").string())), "a.bin b.bin ");
  EXPECT_EQ(names(find_shards((folder / "b*").string())), "b.bin ");
  expect_failure([&] { find_shards((folder / "z*.bin").string()); }, "matches nothing");
}

TEST(FindShards, KnowsShardsForValidationByTheirName) {
  for (const char* name : {"val.bin", "fineweb_val_000000.bin", "x-valid-1.bin", "validation.bin", "a.val.bin"})
    EXPECT_TRUE(is_for_validation(name)) << name;
  for (const char* name : {"train.bin", "value_000.bin", "interval.bin", "eval.bin"})
    EXPECT_FALSE(is_for_validation(name)) << name;
}

std::vector<std::uint32_t> counting(std::uint32_t first, std::uint32_t count) {
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

TokenRequest request_for(const TemporaryFolder& folder, std::int64_t context) {
  TokenRequest request;
  request.source = "tokens:" + folder.path().string();
  request.seed = 3;
  request.context = context;
  request.vocabulary = 10'000;
  return request;
}

TEST(TokensSource, ReadsEveryTokenOnceBeforeAnyComesAgain) {
  const TemporaryFolder folder;
  write(folder, "train_0.bin", ids(counting(0, 101), 2));    // 10 windows of 10 predicted tokens
  write(folder, "train_1.bin", ids(counting(1000, 59), 2));  // 5, and a rest of 8
  write(folder, "val_0.bin", ids(counting(5000, 30), 2));
  const auto source = make_token_source(request_for(folder, 10));
  EXPECT_EQ(source->training_tokens(), 150);
  std::vector<std::int64_t> order[2];
  for (std::int64_t pass = 0; pass < 2; ++pass) {
    std::set<std::int64_t> starts;
    for (std::int64_t number = 0; number < 15; ++number) {
      std::vector<std::int64_t> window(11);
      source->training_window(15 * pass + number, window);
      EXPECT_EQ(window.back(), window.front() + 10);
      starts.insert(window.front());
      order[pass].push_back(window.front());
    }
    EXPECT_EQ(starts.size(), 15U);
    EXPECT_EQ(*starts.rbegin(), 1040);
  }
  EXPECT_NE(order[0], order[1]);
  std::vector<std::int64_t> held_out(11);
  source->held_out_window(1, 2, held_out);
  EXPECT_EQ(held_out.front(), 5019);
}

TEST(TokensSource, DescribesItsShards) {
  const TemporaryFolder folder;
  write(folder, "b.bin", header(20240520, 1, 400) + ids(counting(0, 400), 2));
  write(folder, "a.bin", header(20240520, 1, 300) + ids(counting(0, 300), 2));
  const auto source = make_token_source(request_for(folder, 5));
  const base::Json description = describe(*source, 1'390);
  EXPECT_EQ(description["format"], "llm.c, GPT-2");
  EXPECT_EQ(description["files"], 2);
  EXPECT_EQ(description["bytes"], 2 * 1024 + 1400);
  EXPECT_EQ(description["training_tokens"], 693);  // the last hundredth of 700 is held out
  EXPECT_EQ(description["held_out_tokens"], 7);
  EXPECT_EQ(description["documents"], 0);
  EXPECT_DOUBLE_EQ(description["passes"].get<double>(), 1'390 / 685.0);  // 137 windows of 5
  const std::string lines = base::sha256(base::read_file(folder / "a.bin")) + "  a.bin\n" +
                            base::sha256(base::read_file(folder / "b.bin")) + "  b.bin\n";
  EXPECT_EQ(description["sha256"], base::sha256(lines));
  ASSERT_EQ(remarks(description).size(), 1U);
  EXPECT_THAT(remarks(description).front(), testing::HasSubstr("data is repeated"));
}

TEST(TokensSource, NeedsRoomForAWindowInBothParts) {
  const TemporaryFolder folder;
  write(folder, "a.bin", ids(counting(0, 1000), 2));
  expect_failure([&] { make_token_source(request_for(folder, 10)); },
                 "the held-out part of the corpus has 10 tokens, a window of this context needs 11");
  write(folder, "val.bin", ids(counting(0, 1000), 2));
  EXPECT_NO_THROW(make_token_source(request_for(folder, 10)));
}

}  // namespace
}  // namespace etalon::data
