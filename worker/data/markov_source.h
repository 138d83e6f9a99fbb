// SPDX-License-Identifier: Apache-2.0
// Sentences of a Markov chain, without end.
#pragma once

#include "worker/data/markov_chain.h"
#include "worker/data/token_source.h"

namespace etalon::data {

/// Every window begins by the chain's stationary distribution. Throws worker::Failure where the chain has more tokens than the
/// model.
std::unique_ptr<TokenSource> make_markov_source(const TokenRequest& request, MarkovChain chain);

}  // namespace etalon::data
