// SPDX-License-Identifier: Apache-2.0
// Where token sequences come from. A window is drawn by its number alone, so a run can be repeated from any step and
// later be dealt out to ranks without talk between them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"

namespace etalon::data {

class TokenSource {
 public:
  virtual ~TokenSource() = default;
  /// Fills `tokens` with the training window of this number: fresh and random for every number.
  virtual void training_window(std::int64_t number, std::span<std::int64_t> tokens) const = 0;
  /// Window `number` of `count` fixed ones, spread evenly over the held-out part.
  virtual void held_out_window(std::int64_t number, std::int64_t count, std::span<std::int64_t> tokens) const = 0;
  /// Source, sizes and content hash, for the dossier.
  virtual base::Json description() const = 0;
};

struct TokenRequest {
  std::string source;  ///< as in the recipe: "torch-source", "text:FILE", "synthetic"
  std::int64_t seed = 0;
  std::int64_t context = 0;  ///< a window holds one token more
  std::int64_t vocabulary = 0;
  std::filesystem::path torch_folder;
};

/// Throws worker::Failure: unknown source, unreadable or too small a corpus, vocabulary without room for bytes.
std::unique_ptr<TokenSource> make_token_source(const TokenRequest& request);

struct SourceDescription {
  std::string name;  ///< "text:FILE"
  std::string meaning;
};
std::vector<SourceDescription> describe_sources();

}  // namespace etalon::data
