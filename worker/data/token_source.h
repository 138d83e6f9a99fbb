// SPDX-License-Identifier: Apache-2.0
// Where token sequences come from. A window is drawn by its number alone, so a run can be repeated from any step and
// later be dealt out to ranks without talk between them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"

namespace etalon::data {

class TokenSource {
 public:
  virtual ~TokenSource() = default;
  /// Fills `tokens` with the training window of this number.
  virtual void training_window(std::int64_t number, std::span<std::int64_t> tokens) const = 0;
  /// Window `number` of `count` fixed ones, spread evenly over the held-out part.
  virtual void held_out_window(std::int64_t number, std::int64_t count, std::span<std::int64_t> tokens) const = 0;
  /// Source, sizes and content hash, for the dossier.
  virtual base::Json description() const = 0;
  /// Tokens to train on before the first must come again; empty where they never end.
  virtual std::optional<std::int64_t> training_tokens() const = 0;
};

struct TokenRequest {
  std::string source;  ///< as in the recipe: "torch-source", "text:FILE", "synthetic"
  std::int64_t seed = 0;
  std::int64_t context = 0;  ///< a window holds one token more
  std::int64_t vocabulary = 0;
  std::filesystem::path torch_folder;
  std::string tokenizer = "bytes";  ///< as in the recipe; of sources that are text
};

/// Throws worker::Failure: unknown source or tokenizer, unreadable or too small a corpus, ids beyond the vocabulary.
std::unique_ptr<TokenSource> make_token_source(const TokenRequest& request);

/// The source's description with what becomes of it in a training of `planned_tokens`: passes over it.
base::Json describe(const TokenSource& source, std::int64_t planned_tokens);

/// What a person should read before the figures: repeated data, entropy that no model can undercut. Often none.
std::vector<std::string> remarks(const base::Json& description);

struct SourceDescription {
  std::string name;  ///< "text:FILE"
  std::string meaning;
};
std::vector<SourceDescription> describe_sources();

}  // namespace etalon::data
