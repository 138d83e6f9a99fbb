// SPDX-License-Identifier: Apache-2.0
// The sources of tokens. A new one is one file with <name>_source(), and one word in this list.
#pragma once

#include <span>
#include <string_view>

#include "worker/data/token_source.h"

#define TOKEN_SOURCES(entry) \
  entry(torch_source) entry(text) entry(tokens) entry(markov) entry(markov_file) entry(synthetic)

namespace etalon::data {

struct SourceKind {
  std::string_view prefix;    ///< ends with ':' when an argument follows
  std::string_view argument;  ///< "FILE", or empty
  std::string_view meaning;
  /// `argument`: what follows the prefix in the recipe.
  std::unique_ptr<TokenSource> (*make)(const TokenRequest& request, const std::string& argument);
};

#define ETALON_DECLARE_SOURCE(name) SourceKind name##_source();
TOKEN_SOURCES(ETALON_DECLARE_SOURCE)
#undef ETALON_DECLARE_SOURCE

std::span<const SourceKind> source_kinds();

}  // namespace etalon::data
