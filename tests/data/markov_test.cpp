// SPDX-License-Identifier: Apache-2.0
// Chains whose entropy can be worked out by hand, the built-in one, and files that are no chain.
#include <array>
#include <cmath>
#include <map>

#include "data/fixture.h"
#include "worker/data/finite_source.h"
#include "worker/data/markov_chain.h"
#include "worker/data/token_source.h"

namespace etalon::data {
namespace {

using data_test::expect_failure;
using data_test::write;

TEST(MarkovChain, ComputesTheEntropyOfTwoTokensAsByHand) {
  // π = (2/3, 1/3); row entropies h(1/4) and h(1/2) = ln 2.
  const MarkovChain chain = parse_markov_chain(R"({"transitions": [[0.75, 0.25], [0.5, 0.5]]})", "chain");
  EXPECT_NEAR(chain.stationary()[0], 2.0 / 3, 1e-12);
  const double h = -0.75 * std::log(0.75) - 0.25 * std::log(0.25);
  EXPECT_NEAR(chain.entropy(), 2.0 / 3 * h + 1.0 / 3 * std::log(2), 1e-12);
  EXPECT_NEAR(chain.single_token_entropy(), -2.0 / 3 * std::log(2.0 / 3) - 1.0 / 3 * std::log(1.0 / 3), 1e-12);
}

TEST(MarkovChain, FindsThePlaceOfAChainWithAPeriod) {
  const MarkovChain chain = parse_markov_chain(R"({"transitions": [[0, 1, 0], [0, 0, 1], [1, 0, 0]]})", "chain");
  EXPECT_NEAR(chain.stationary()[1], 1.0 / 3, 1e-12);
  EXPECT_EQ(chain.entropy(), 0);
  EXPECT_NEAR(chain.single_token_entropy(), std::log(3), 1e-12);
}

TEST(MarkovChain, ChoosesByItsProbabilities) {
  const MarkovChain chain = parse_markov_chain(R"({"transitions": [[0.75, 0.25], [0.5, 0.5]]})", "chain");
  EXPECT_EQ(chain.next(0, 0.0), 0U);
  EXPECT_EQ(chain.next(0, 0.7499), 0U);
  EXPECT_EQ(chain.next(0, 0.75), 1U);
  EXPECT_EQ(chain.next(1, 0.999999), 1U);
  EXPECT_EQ(chain.first(0.66), 0U);
  EXPECT_EQ(chain.first(0.67), 1U);
}

TEST(MarkovChain, BuiltInHasAtMostHalfTheEntropyOfItsSingleTokens) {
  double sum = 0;
  for (int rank = 1; rank <= 8; ++rank) sum += 1.0 / rank;
  double expected = 0;
  for (int rank = 1; rank <= 8; ++rank) expected -= 1.0 / rank / sum * std::log(1.0 / rank / sum);
  for (const std::int64_t vocabulary : {64, 256, 32'000}) {
    const MarkovChain chain = make_markov_chain(vocabulary, 1234);
    EXPECT_EQ(chain.states(), vocabulary);
    EXPECT_NEAR(chain.entropy(), expected, 1e-9);
    EXPECT_LE(chain.entropy(), chain.single_token_entropy() / 2) << vocabulary;
  }
  expect_failure([] { make_markov_chain(63, 1); }, "needs a vocabulary of 64");
}

TEST(MarkovChain, BuiltInIsAnotherLanguageUnderAnotherSeed) {
  EXPECT_EQ(make_markov_chain(256, 1).sha256(), make_markov_chain(256, 1).sha256());
  EXPECT_NE(make_markov_chain(256, 1).sha256(), make_markov_chain(256, 2).sha256());
}

TEST(MarkovChain, RefusesWhatIsNoChainWithItsPlace) {
  const auto refused = [](const std::string& text, const std::string& words) {
    expect_failure([&] { parse_markov_chain(text, "chain.json"); }, words);
  };
  refused("[", "chain.json");
  refused("[]", "chain.json: it is no object with a list \"transitions\"");
  refused(R"({"transitions": []})", "it has 0 rows");
  refused(R"({"transitions": [[0.5, 0.5]]})", "row 0 is no list of 1 numbers");
  refused(R"({"transitions": [[0.5, 0.5], 1]})", "row 1 is no list of 2 numbers");
  refused(R"({"transitions": [[0.5, "x"], [1, 0]]})", "row 0, column 1 is no number from 0 to 1");
  refused(R"({"transitions": [[-0.5, 1.5], [1, 0]]})", "row 0, column 0 is no number");
  refused(R"({"transitions": [[0.5, 0.4], [1, 0]]})", "row 0 sums to 0.9, not to 1");
  refused(R"({"transitions": [[1, 0], [0.5, 0.5]]})", "token 1 cannot be reached from token 0");
  refused(R"({"transitions": [[0.5, 0.5], [0, 1]]})", "token 1 never leads to token 0");
}

TokenRequest markov_request(const std::string& source) {
  TokenRequest request;
  request.source = source;
  request.seed = 5;
  request.context = 63;
  request.vocabulary = 256;
  return request;
}

TEST(MarkovSource, SpeaksTheLanguageWhoseEntropyItStates) {
  const auto source = make_token_source(markov_request("markov"));
  const MarkovChain chain = make_markov_chain(256, 5);
  std::map<std::pair<std::int64_t, std::int64_t>, double> pairs;
  std::map<std::int64_t, double> singles;
  std::vector<std::int64_t> window(64);
  double total = 0;
  for (std::int64_t number = 0; number < 4000; ++number) {
    source->training_window(number, window);
    for (std::size_t position = 0; position + 1 < window.size(); ++position) {
      ++pairs[{window[position], window[position + 1]}];
      ++singles[window[position]];
      ++total;
    }
  }
  EXPECT_LE(pairs.size(), 256U * 8);
  double conditional = 0;
  double single = 0;
  for (const auto& [pair, count] : pairs) conditional -= count / total * std::log(count / singles[pair.first]);
  for (const auto& [token, count] : singles) single -= count / total * std::log(count / total);
  EXPECT_NEAR(conditional, chain.entropy(), 0.01);
  EXPECT_NEAR(single, chain.single_token_entropy(), 0.01);
  EXPECT_DOUBLE_EQ(source->description()["entropy_nats_per_token"].get<double>(), chain.entropy());
  EXPECT_EQ(describe(*source, 1'000'000)["passes"], "never repeated");
  EXPECT_THAT(remarks(source->description()).front(), testing::HasSubstr("1.8158"));
}

TEST(MarkovSource, GivesTheSameWindowAgainAndOthersHeldOut) {
  const auto source = make_token_source(markov_request("markov"));
  std::vector<std::int64_t> first(64), again(64), held_out(64);
  source->training_window(7, first);
  source->training_window(7, again);
  source->held_out_window(7, 8, held_out);
  EXPECT_EQ(first, again);
  EXPECT_NE(first, held_out);
}

TEST(MarkovSource, ReadsAChainFromAFile) {
  const TemporaryFolder folder;
  const auto file = write(folder, "chain.json", R"({"transitions": [[0, 1], [1, 0]]})");
  const auto source = make_token_source(markov_request("markov:" + file.string()));
  std::vector<std::int64_t> window(64);
  source->training_window(0, window);
  for (std::size_t position = 1; position < window.size(); ++position) {
    EXPECT_EQ(window[position], 1 - window[position - 1]);
  }
  TokenRequest request = markov_request("markov:" + file.string());
  request.vocabulary = 1;
  expect_failure([&] { make_token_source(request); }, "the Markov chain has 2 tokens, the model 1");
  expect_failure([&] { make_token_source(markov_request("markov:/absent")); }, "/absent");
}

TEST(Permuted, VisitsEveryPlaceOnce) {
  for (const std::uint64_t count : {1U, 2U, 3U, 16U, 17U, 1000U}) {
    std::vector<int> visits(count, 0);
    for (std::uint64_t index = 0; index < count; ++index) ++visits[permuted(index, count, 42)];
    EXPECT_EQ(visits, std::vector<int>(count, 1)) << count;
  }
}

TEST(Permuted, ScattersNeighboursAndChangesWithItsKey) {
  std::uint64_t near = 0;
  std::uint64_t same = 0;
  for (std::uint64_t index = 0; index < 999; ++index) {
    const auto here = static_cast<std::int64_t>(permuted(index, 1000, 1));
    const auto next = static_cast<std::int64_t>(permuted(index + 1, 1000, 1));
    near += std::abs(here - next) <= 5 ? 1 : 0;
    same += permuted(index, 1000, 2) == static_cast<std::uint64_t>(here) ? 1 : 0;
  }
  EXPECT_LT(near, 40U);  // about ten of a thousand by chance
  EXPECT_LT(same, 15U);
}

}  // namespace
}  // namespace etalon::data
