// SPDX-License-Identifier: Apache-2.0
// From text to token ids. No torch: what a tokenizer reads comes from outside, and is fuzzed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "worker/data/token_run.h"

namespace etalon::data {

/// Documents laid end to end.
struct Text {
  std::string bytes;
  std::vector<std::size_t> document_ends;  ///< ascending; the last is bytes.size()
};

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  /// Appends the ids of `text`, without any token that it does not hold. Keeps words that it has seen, hence not const.
  virtual void encode(std::string_view text, std::vector<std::uint32_t>& ids) = 0;
  virtual std::int64_t vocabulary() const = 0;
  /// The token that stands between two documents.
  virtual std::optional<std::uint32_t> end_of_document() const = 0;
  virtual base::Json description() const = 0;
  /// All documents, each encoded by itself, end_of_document() between two.
  virtual TokenRun run(Text text);
};

/// `name` as in the recipe: "bytes", "gpt2:FILE", "sentencepiece:FILE". Throws worker::Failure: unknown, or a file that is
/// missing or malformed.
std::unique_ptr<Tokenizer> make_tokenizer(const std::string& name);

}  // namespace etalon::data
