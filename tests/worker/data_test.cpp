// SPDX-License-Identifier: Apache-2.0
// Corpora and the windows drawn from them.
#include <algorithm>
#include <numeric>
#include <set>

#include "base/hash.h"
#include "tests/worker/fixture.h"
#include "worker/data/batches.h"
#include "worker/data/corpus.h"
#include "worker/data/counter_random.h"
#include "worker/data/token_source.h"
#include "worker/events/libraries.h"
#include "worker/failure.h"

namespace etalon {
namespace {

using worker_test::write;

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
  EXPECT_EQ(corpus.held_out, "000\n001\n");  // the first of the folder itself, and of sub/
  EXPECT_TRUE(corpus.training.starts_with("002\n004\n"));
  EXPECT_TRUE(corpus.training.ends_with("197\n199\n"));
  EXPECT_EQ(corpus.training.find("not part"), std::string::npos);
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

TEST(TorchSource, IsTheSameTextOnEveryMachineWithThisWheel) {
  if (events::torch_versions()["pytorch"] != "2.11.0+cu130") GTEST_SKIP() << "another PyTorch";
  const data::Corpus corpus = data::read_torch_source(events::torch_package_folder());
  EXPECT_EQ(corpus.files, 2140);
  EXPECT_EQ(corpus.training.size(), 40'930'032U);
  EXPECT_EQ(corpus.held_out.size(), 405'518U);
  EXPECT_EQ(corpus.sha256, "8bbdc3df83a51e7775610891704f9a22bb8bf3b8e97fab55d2b1f72269b1fbd4");
}

TEST(TextFile, HoldsOutItsLastHundredth) {
  const TemporaryFolder folder;
  std::string text(1000, 'a');
  std::fill(text.end() - 10, text.end(), 'z');
  const data::Corpus corpus = data::read_text(write(folder, "text", text));
  EXPECT_EQ(corpus.training, std::string(990, 'a'));
  EXPECT_EQ(corpus.held_out, std::string(10, 'z'));
  EXPECT_EQ(corpus.sha256, base::sha256(text));
  EXPECT_THROW(data::read_text(folder / "absent"), worker::Failure);
}

data::TokenRequest text_request(const std::filesystem::path& file, std::int64_t context) {
  return {.source = "text:" + file.string(), .seed = 1, .context = context, .vocabulary = 256, .torch_folder = {}};
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

TEST(TokenSource, RefusesATextTooShortForOneWindow) {
  const TemporaryFolder folder;
  const auto file = write(folder, "text", std::string(1000, 'x'));
  EXPECT_NO_THROW(data::make_token_source(text_request(file, 9)));
  try {
    data::make_token_source(text_request(file, 10));
    FAIL();
  } catch (const worker::Failure& failure) {
    EXPECT_EQ(failure.kind(), "data");
    EXPECT_NE(std::string(failure.what()).find("has 10 bytes, a window of this context needs 11"), std::string::npos)
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
  const auto source = data::make_token_source(
      {.source = "synthetic", .seed = 1, .context = 999, .vocabulary = 50'304, .torch_folder = {}});
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

TEST(Batches, PairEveryTokenWithTheOneThatFollows) {
  const data::Batch batch = data::make_batch(2, 3, at::kCPU, [](std::int64_t row, std::span<std::int64_t> window) {
    std::iota(window.begin(), window.end(), 10 * row);
  });
  EXPECT_TRUE(at::equal(batch.tokens_BT, at::tensor({0, 1, 2, 10, 11, 12}, at::kLong).view({2, 3})));
  EXPECT_TRUE(at::equal(batch.targets_BT, batch.tokens_BT + 1));
}

}  // namespace
}  // namespace etalon
