// SPDX-License-Identifier: Apache-2.0
// Windows by their number alone: random numbers are functions of window and position.
#include "worker/data/markov_source.h"

#include <utility>

#include "worker/data/counter_random.h"
#include "worker/failure.h"

namespace etalon::data {
namespace {

class MarkovSource final : public TokenSource {
 public:
  MarkovSource(const TokenRequest& request, MarkovChain chain)
      : name_(request.source),
        chain_(std::move(chain)),
        training_key_(stream_key("markov training", request.seed)),
        held_out_key_(stream_key("markov held-out", request.seed)) {}

  void training_window(std::int64_t number, std::span<std::int64_t> tokens) const override {
    draw(training_key_, number, tokens);
  }
  void held_out_window(std::int64_t number, std::int64_t, std::span<std::int64_t> tokens) const override {
    draw(held_out_key_, number, tokens);
  }
  base::Json description() const override {
    return {{"source", name_},
            {"tokens", "Markov chain of order 1"},
            {"states", chain_.states()},
            {"entropy_nats_per_token", chain_.entropy()},
            {"single_token_entropy_nats", chain_.single_token_entropy()},
            {"sha256", chain_.sha256()}};
  }
  std::optional<std::int64_t> training_tokens() const override { return std::nullopt; }

 private:
  void draw(std::uint64_t key, std::int64_t number, std::span<std::int64_t> tokens) const {
    const std::uint64_t counter = key + static_cast<std::uint64_t>(number) * tokens.size();
    std::uint32_t token = 0;
    for (std::size_t position = 0; position < tokens.size(); ++position) {
      const double random = unit_interval(splitmix64(counter + position));
      token = position == 0 ? chain_.first(random) : chain_.next(token, random);
      tokens[position] = token;
    }
  }

  std::string name_;
  MarkovChain chain_;
  std::uint64_t training_key_;
  std::uint64_t held_out_key_;
};

}  // namespace

std::unique_ptr<TokenSource> make_markov_source(const TokenRequest& request, MarkovChain chain) {
  if (chain.states() > request.vocabulary) {
    throw worker::unsupported("the Markov chain has " + std::to_string(chain.states()) + " tokens, the model " +
                                  std::to_string(request.vocabulary),
                              "choose a model with a larger vocabulary");
  }
  return std::make_unique<MarkovSource>(request, std::move(chain));
}

}  // namespace etalon::data
