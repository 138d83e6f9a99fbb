// SPDX-License-Identifier: Apache-2.0
// Texts as corpora, and the windows drawn from them.
#include "worker/data/corpus.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/hash.h"
#include "data/fixture.h"
#include "worker/data/counter_random.h"
#include "worker/data/token_source.h"

namespace etalon {
namespace {

using data_test::write;

/// 200 sources named 000.py … 199.py that hold their own number, and files that do not belong.
void write_package(const TemporaryFolder& folder) {
  for (int number = 0; number < 200; ++number) {
    std::string name = std::to_string(number);
    name.insert(0, 3 - name.size(), '0');
    write(folder, (number % 2 == 0 ? "" : "sub/") + name + ".py", name + "\n");
  }
  write(folder, "version.py", "not part of it");
  write(folder, "notes.txt", "not part of it");
  write(folder, "__pycache__/000.pyc", "not part of it");
}

TEST(TorchSource, ReadsThePythonFilesInOrderAndHoldsOutEveryHundredth) {
  const TemporaryFolder folder;
  write_package(folder);
  const data::Corpus corpus = data::read_torch_source(folder.path());
  EXPECT_EQ(corpus.files, 200);
  EXPECT_EQ(corpus.held_out.bytes, "000\n001\n");  // the first of the folder itself, and of sub/
  EXPECT_EQ(corpus.held_out.document_ends, (std::vector<std::size_t>{4, 8}));
  EXPECT_TRUE(corpus.training.bytes.starts_with("002\n004\n"));
  EXPECT_TRUE(corpus.training.bytes.ends_with("197\n199\n"));
  EXPECT_EQ(corpus.training.document_ends.size(), 198U);
  EXPECT_EQ(corpus.training.bytes.find("not part"), std::string::npos);
}

TEST(TorchSource, HasAHashOfItsContentThatDoesNotChange) {
  const TemporaryFolder folder;
  write_package(folder);
  std::string everything;
  for (int parity = 0; parity < 2; ++parity) {
    for (int number = parity; number < 200; number += 2) {
      std::string name = std::to_string(number);
      everything += name.insert(0, 3 - name.size(), '0') + "\n";
    }
  }
  EXPECT_EQ(data::read_torch_source(folder.path()).sha256, base::sha256(everything));
}

TEST(TorchSource, SaysWhatToDoWhereTheSourcesAreMissing) {
  const TemporaryFolder folder;
  try {
    data::read_torch_source(folder.path());
    FAIL();
  } catch (const worker::Failure& failure) {
    EXPECT_EQ(failure.kind(), "data");
    EXPECT_NE(failure.next_step().find("text:FILE"), std::string::npos);
  }
  EXPECT_THROW(data::read_torch_source(folder / "absent"), worker::Failure);
}

TEST(TextFile, IsOneDocument) {
  const TemporaryFolder folder;
  const data::Corpus corpus = data::read_text(write(folder, "text", "some text"));
  EXPECT_EQ(corpus.training.bytes, "some text");
  EXPECT_EQ(corpus.training.document_ends, std::vector<std::size_t>{9});
  EXPECT_TRUE(corpus.held_out.bytes.empty());
  EXPECT_EQ(corpus.sha256, base::sha256("some text"));
  EXPECT_THROW(data::read_text(folder / "absent"), worker::Failure);
}

data::TokenRequest text_request(const std::filesystem::path& file, std::int64_t context) {
  data::TokenRequest request;
  request.source = "text:" + file.string();
  request.seed = 1;
  request.context = context;
  request.vocabulary = 256;
  return request;
}

/// Bytes count up, so a window tells where it begins and whether it is whole.
std::string counting_text(std::size_t bytes) {
  std::string text(bytes, '\0');
  std::iota(text.begin(), text.end(), '\0');
  return text;
}

TEST(TokenSource, DrawsWholeWindowsFromEverywhereAndNothingBeyond) {
  const TemporaryFolder folder;
  const auto source = data::make_token_source(text_request(write(folder, "text", counting_text(200)), 1));
  std::set<std::int64_t> starts;
  std::vector<std::int64_t> window(2);
  for (std::int64_t number = 0; number < 5000; ++number) {
    source->training_window(number, window);
    EXPECT_EQ(window[1], window[0] + 1);
    starts.insert(window[0]);
  }
  EXPECT_EQ(starts.size(), 197U);  // 198 training bytes
  EXPECT_EQ(*starts.begin(), 0);
  EXPECT_EQ(*starts.rbegin(), 196);
}

TEST(TokenSource, SpreadsItsHeldOutWindowsEvenlyFromEndToEnd) {
  const TemporaryFolder folder;
  const auto source = data::make_token_source(text_request(write(folder, "text", counting_text(20'000)), 100));
  std::vector<std::int64_t> window(101);
  const std::int64_t first_byte = 19'800 % 256;
  for (const auto& [number, offset] : {std::pair{0, 0}, std::pair{1, 33}, std::pair{3, 99}}) {
    source->held_out_window(number, 4, window);
    EXPECT_EQ(window.front(), (first_byte + offset) % 256);
    EXPECT_EQ(window.back(), (first_byte + offset + 100) % 256);
  }
  source->held_out_window(0, 1, window);
  EXPECT_EQ(window.front(), first_byte);
}

TEST(TokenSource, DescribesATextAndWhatATrainingMakesOfIt) {
  const TemporaryFolder folder;
  const std::string text = counting_text(20'000);
  const auto source = data::make_token_source(text_request(write(folder, "text", text), 100));
  const base::Json description = data::describe(*source, 19'800);
  EXPECT_EQ(description["tokenizer"]["name"], "bytes");
  EXPECT_EQ(description["documents"], 1);
  EXPECT_EQ(description["bytes"], 20'000);
  EXPECT_EQ(description["training_tokens"], 19'800);
  EXPECT_EQ(description["held_out_tokens"], 200);
  EXPECT_EQ(description["sha256"], base::sha256(text));
  EXPECT_EQ(description["passes"], 1.0);
  EXPECT_EQ(description["padding"], "none: every window is full");
  EXPECT_TRUE(data::remarks(description).empty());
  EXPECT_EQ(data::remarks(data::describe(*source, 39'600)).size(), 1U);
}

TEST(TokenSource, TrainsOnATextThroughATokenizer) {
  const TemporaryFolder folder;
  std::string text;
  while (text.size() < 4000) text += "abab";
  data::TokenRequest request = text_request(write(folder, "text", text), 8);
  request.tokenizer = "gpt2:" + write(folder, "merges", "a b\n").string();
  request.vocabulary = 258;
  const auto source = data::make_token_source(request);
  std::vector<std::int64_t> window(9);
  source->training_window(3, window);
  EXPECT_EQ(window, std::vector<std::int64_t>(9, 256));
  EXPECT_EQ(source->description()["training_tokens"], 1980);
  EXPECT_EQ(source->description()["held_out_tokens"], 20);
  request.vocabulary = 257;
  data_test::expect_failure([&] { data::make_token_source(request); }, "has 258 ids, the model's vocabulary 257");
}

TEST(TokenSource, RefusesATextTooShortForOneWindow) {
  const TemporaryFolder folder;
  const auto file = write(folder, "text", std::string(1000, 'x'));
  EXPECT_NO_THROW(data::make_token_source(text_request(file, 9)));
  try {
    data::make_token_source(text_request(file, 10));
    FAIL();
  } catch (const worker::Failure& failure) {
    EXPECT_EQ(failure.kind(), "data");
    EXPECT_NE(std::string(failure.what()).find("has 10 tokens, a window of this context needs 11"), std::string::npos)
        << failure.what();
  }
}

TEST(TokenSource, RefusesBytesForASmallVocabularyAndAnUnknownSource) {
  const TemporaryFolder folder;
  data::TokenRequest request = text_request(write(folder, "text", std::string(1000, 'x')), 4);
  request.vocabulary = 255;
  EXPECT_THROW(data::make_token_source(request), worker::Failure);
  request.source = "text:";
  EXPECT_THROW(data::make_token_source(request), worker::Failure);
}

TEST(TokenSource, MakesSyntheticTokensOfTheWholeVocabulary) {
  data::TokenRequest request;
  request.source = "synthetic";
  request.context = 999;
  request.vocabulary = 50'304;
  const auto source = data::make_token_source(request);
  std::vector<std::int64_t> training(1000), again(1000), held_out(1000);
  source->training_window(5, training);
  source->training_window(5, again);
  source->held_out_window(5, 8, held_out);
  EXPECT_EQ(training, again);
  EXPECT_NE(training, held_out);
  EXPECT_GE(*std::min_element(training.begin(), training.end()), 0);
  EXPECT_LT(*std::max_element(training.begin(), training.end()), 50'304);
  EXPECT_GT(*std::max_element(training.begin(), training.end()), 49'000);
}

TEST(TokenSource, DrawsOtherWindowsUnderAnotherSeed) {
  const TemporaryFolder folder;
  data::TokenRequest request = text_request(write(folder, "text", counting_text(10'000)), 4);
  std::vector<std::int64_t> first(5), second(5);
  data::make_token_source(request)->training_window(0, first);
  request.seed = 2;
  data::make_token_source(request)->training_window(0, second);
  EXPECT_NE(first, second);
}

TEST(CounterRandom, ScalesToARangeAsWideMultiplicationDoes) {
  EXPECT_EQ(data::below(~0ULL, 1000), 999U);
  EXPECT_EQ(data::below(0, 1000), 0U);
  EXPECT_EQ(data::below(1ULL << 63, 1001), 500U);
  EXPECT_EQ(data::below(0xfedcba9876543210ULL, 0x123456789abcdef0ULL), 0x121fa00ad77d7422ULL);
}

}  // namespace
}  // namespace etalon
