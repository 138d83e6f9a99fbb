// SPDX-License-Identifier: Apache-2.0
// A corpus read through the recipe's tokenizer.
#pragma once

#include "worker/data/corpus.h"
#include "worker/data/token_source.h"

namespace etalon::data {

/// Where the corpus holds nothing out, the last hundredth of its tokens is. Throws worker::Failure: unknown tokenizer, one with
/// more ids than the model's vocabulary, too little text.
std::unique_ptr<TokenSource> make_text_source(const TokenRequest& request, Corpus corpus);

}  // namespace etalon::data
