// SPDX-License-Identifier: Apache-2.0
// Uniform random tokens.
#include "worker/data/counter_random.h"
#include "worker/data/sources/catalog.h"

namespace etalon::data {
namespace {

class SyntheticSource final : public TokenSource {
 public:
  explicit SyntheticSource(const TokenRequest& request)
      : vocabulary_(static_cast<std::uint64_t>(request.vocabulary)),
        training_key_(stream_key("synthetic training", request.seed)),
        held_out_key_(stream_key("synthetic held-out", request.seed)) {}

  void training_window(std::int64_t number, std::span<std::int64_t> tokens) const override {
    draw(training_key_, number, tokens);
  }
  void held_out_window(std::int64_t number, std::int64_t, std::span<std::int64_t> tokens) const override {
    draw(held_out_key_, number, tokens);
  }
  base::Json description() const override {
    return {{"source", "synthetic"}, {"tokens", "uniform random"}, {"vocabulary", vocabulary_}};
  }
  std::optional<std::int64_t> training_tokens() const override { return std::nullopt; }

 private:
  void draw(std::uint64_t key, std::int64_t number, std::span<std::int64_t> tokens) const {
    const std::uint64_t first = key + static_cast<std::uint64_t>(number) * tokens.size();
    for (std::size_t position = 0; position < tokens.size(); ++position) {
      tokens[position] = static_cast<std::int64_t>(below(splitmix64(first + position), vocabulary_));
    }
  }

  std::uint64_t vocabulary_;
  std::uint64_t training_key_;
  std::uint64_t held_out_key_;
};

}  // namespace

SourceKind synthetic_source() {
  return {"synthetic", "", "uniform random tokens of the model's whole vocabulary: nothing to learn, nothing to read",
          [](const TokenRequest& request, const std::string&) -> std::unique_ptr<TokenSource> {
            return std::make_unique<SyntheticSource>(request);
          }};
}

}  // namespace etalon::data
