// SPDX-License-Identifier: Apache-2.0
// Windows over tokens that are there: texts and shards.
#pragma once

#include "worker/data/token_run.h"
#include "worker/data/token_source.h"

namespace etalon::data {

enum class Order {
  random_starts,  ///< a window begins anywhere, each time anew
  once_per_pass,  ///< windows lie side by side, and each comes once before any comes again
};

struct FiniteTokens {
  std::vector<TokenRun> training;  ///< no window reaches from one run into the next
  std::vector<TokenRun> held_out;
  Order order = Order::random_starts;
  base::Json description;  ///< what the source knows of itself; counts and order are added
};

/// Throws worker::Failure where a part has no room for one window.
std::unique_ptr<TokenSource> make_finite_source(const TokenRequest& request, FiniteTokens tokens);

/// Position `index` of a permutation of [0, count) that `key` chooses; computed alone, in constant memory.
std::uint64_t permuted(std::uint64_t index, std::uint64_t count, std::uint64_t key);

}  // namespace etalon::data
