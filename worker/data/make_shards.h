// SPDX-License-Identifier: Apache-2.0
// From texts of the user's to shards that data.source = "tokens:FOLDER" reads, with a tokenizer trained on them if wished.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"

namespace etalon::data {

struct ShardOrder {
  std::filesystem::path folder;              ///< is made; nothing in it is overwritten
  std::vector<std::filesystem::path> texts;  ///< each is one document
  std::string tokenizer = {};                ///< as data.tokenizer; empty: one is trained on the texts
  std::int64_t vocabulary = 32'000;          ///< of the tokenizer that is trained
  std::size_t tokens_per_shard = 100'000'000;
};

/// Writes folder/train_000000.bin, …, folder/val_000000.bin (the last hundredth of all tokens) and, where one is trained,
/// folder/tokenizer.model. Returns what was made. Throws worker::Failure or base::Error.
base::Json make_shards(const ShardOrder& order);

}  // namespace etalon::data
