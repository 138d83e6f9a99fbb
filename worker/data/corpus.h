// SPDX-License-Identifier: Apache-2.0
// Text to train on, document by document; identified by the hash of its content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "worker/data/tokenizers/tokenizer.h"

namespace etalon::data {

struct Corpus {
  Text training;
  Text held_out;  ///< empty where the source leaves the choice to whoever counts tokens
  std::int64_t files = 0;
  std::string sha256;  ///< of all files' bytes one after another, before the split
};

/// Every so-many-th part is held out.
inline constexpr std::int64_t held_out_every = 100;

/// Python sources of an installed torch package: `.py` files below `torch_folder` sorted by relative path (bytewise),
/// without version.py (it names the build); the first file of every hundred is held out.
Corpus read_torch_source(const std::filesystem::path& torch_folder);

/// One file of any text, all of it in `training`.
Corpus read_text(const std::filesystem::path& file);

}  // namespace etalon::data
