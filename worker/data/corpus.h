// SPDX-License-Identifier: Apache-2.0
// Text to train on, as bytes, with a part held out; identified by the hash of its content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace etalon::data {

struct Corpus {
  std::string training;
  std::string held_out;
  std::int64_t files = 0;
  std::string sha256;  ///< of all files' bytes one after another, before the split
};

/// Python sources of an installed torch package: `.py` files below `torch_folder` sorted by relative path (bytewise),
/// without version.py (it names the build); the first file of every hundred is held out.
Corpus read_torch_source(const std::filesystem::path& torch_folder);

/// One file of any text; its last hundredth is held out.
Corpus read_text(const std::filesystem::path& file);

}  // namespace etalon::data
