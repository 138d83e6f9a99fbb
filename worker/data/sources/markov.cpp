// SPDX-License-Identifier: Apache-2.0
// A made-up language of known entropy.
#include "worker/data/markov_source.h"
#include "worker/data/sources/catalog.h"

namespace etalon::data {

SourceKind markov_source() {
  return {
      "markov", "",
      "endless sentences of a Markov chain over the model's vocabulary, drawn under data.seed: the loss that can be "
      "reached is known",
      [](const TokenRequest& request, const std::string&) {
        return make_markov_source(request, make_markov_chain(request.vocabulary, request.seed));
      }};
}

}  // namespace etalon::data
