// SPDX-License-Identifier: Apache-2.0
// The tokenizers. A new one is one file with <name>_tokenizer(), and one word in this list.
#pragma once

#include <string_view>

#include "worker/data/tokenizers/tokenizer.h"

#define TOKENIZERS(entry) entry(bytes) entry(gpt2) entry(sentencepiece)

namespace etalon::data {

struct TokenizerKind {
  std::string_view prefix;    ///< ends with ':' when an argument follows
  std::string_view argument;  ///< "FILE", or empty
  /// `argument`: what follows the prefix in the recipe.
  std::unique_ptr<Tokenizer> (*make)(const std::string& argument);
};

#define ETALON_DECLARE_TOKENIZER(name) TokenizerKind name##_tokenizer();
TOKENIZERS(ETALON_DECLARE_TOKENIZER)
#undef ETALON_DECLARE_TOKENIZER

}  // namespace etalon::data
