// SPDX-License-Identifier: Apache-2.0
// Both orders of windows, and the held-out windows.
#include "worker/data/finite_source.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "worker/data/counter_random.h"
#include "worker/failure.h"

namespace etalon::data {
namespace {

/// Runs laid end to end, counted in places where something may begin.
class Places {
 public:
  /// `count`: places of a run of so many tokens.
  template <class Count>
  Places(std::vector<TokenRun> runs, Count&& count) : runs_(std::move(runs)) {
    for (const TokenRun& run : runs_) {
      total_ += std::max<std::int64_t>(count(run.size()), 0);
      ends_.push_back(total_);
    }
  }

  std::int64_t total() const { return total_; }
  std::int64_t tokens() const {
    std::int64_t sum = 0;
    for (const TokenRun& run : runs_) sum += run.size();
    return sum;
  }

  /// The run in which `place` lies, and the place counted from the run's own first.
  std::pair<const TokenRun&, std::int64_t> at(std::int64_t place) const {
    const auto end = std::upper_bound(ends_.begin(), ends_.end(), place);
    const auto index = static_cast<std::size_t>(end - ends_.begin());
    return {runs_[index], place - (index == 0 ? 0 : ends_[index - 1])};
  }

 private:
  std::vector<TokenRun> runs_;
  std::vector<std::int64_t> ends_;
  std::int64_t total_ = 0;
};

class FiniteSource final : public TokenSource {
 public:
  FiniteSource(const TokenRequest& request, FiniteTokens tokens)
      : context_(request.context),
        side_by_side_(tokens.order == Order::once_per_pass),
        training_(std::move(tokens.training),
                  [this](std::int64_t size) { return side_by_side_ ? (size - 1) / context_ : size - context_; }),
        held_out_(std::move(tokens.held_out), [this](std::int64_t size) { return size - context_; }),
        description_(std::move(tokens.description)),
        key_(stream_key("training windows", request.seed)) {
    require_room(training_, "training");
    require_room(held_out_, "held-out");
  }

  void training_window(std::int64_t number, std::span<std::int64_t> tokens) const override {
    const auto windows = static_cast<std::uint64_t>(training_.total());
    const auto counter = static_cast<std::uint64_t>(number);
    const std::uint64_t place = side_by_side_
                                    ? permuted(counter % windows, windows, splitmix64(key_ + counter / windows))
                                    : below(splitmix64(key_ + counter), windows);
    const auto [run, first] = training_.at(static_cast<std::int64_t>(place));
    run.copy(side_by_side_ ? first * context_ : first, tokens);
  }

  void held_out_window(std::int64_t number, std::int64_t count, std::span<std::int64_t> tokens) const override {
    const std::int64_t intervals = std::max<std::int64_t>(count - 1, 1);
    const auto [run, first] = held_out_.at((held_out_.total() - 1) * number / intervals);
    run.copy(first, tokens);
  }

  base::Json description() const override {
    base::Json description = description_;
    description["training_tokens"] = training_.tokens();
    description["held_out_tokens"] = held_out_.tokens();
    description["order"] = side_by_side_ ? "windows side by side, each once per pass, in random order"
                                         : "windows that begin anywhere, drawn at random";
    return description;
  }

  std::optional<std::int64_t> training_tokens() const override {
    return side_by_side_ ? training_.total() * context_ : training_.tokens();
  }

 private:
  void require_room(const Places& places, const std::string& part) const {
    if (places.total() < 1) {
      throw worker::Failure("data",
                            "the " + part + " part of the corpus has " + std::to_string(places.tokens()) +
                                " tokens, a window of this context needs " + std::to_string(context_ + 1),
                            "use more data or a smaller workload.context (a hundredth of it is held out)");
    }
  }

  std::int64_t context_;
  bool side_by_side_;
  Places training_;
  Places held_out_;
  base::Json description_;
  std::uint64_t key_;
};

}  // namespace

std::unique_ptr<TokenSource> make_finite_source(const TokenRequest& request, FiniteTokens tokens) {
  return std::make_unique<FiniteSource>(request, std::move(tokens));
}

// A Feistel network permutes a power of four; indices that fall outside are sent through again until one lies inside.
std::uint64_t permuted(std::uint64_t index, std::uint64_t count, std::uint64_t key) {
  constexpr std::uint64_t rounds = 4;
  const int half_bits = std::max(1, (static_cast<int>(std::bit_width(count - 1)) + 1) / 2);
  const std::uint64_t mask = (std::uint64_t{1} << half_bits) - 1;
  do {
    std::uint64_t left = index >> half_bits;
    std::uint64_t right = index & mask;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      left ^= splitmix64(key ^ splitmix64(right * rounds + round)) & mask;
      std::swap(left, right);
    }
    index = left << half_bits | right;
  } while (index >= count);
  return index;
}

}  // namespace etalon::data
