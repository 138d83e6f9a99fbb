// SPDX-License-Identifier: Apache-2.0
// Any bytes as merges and a text: the merges are refused with their line, or every word of the text becomes known tokens.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "worker/data/tokenizers/byte_pairs.h"
#include "worker/data/tokenizers/words.h"
#include "worker/failure.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace etalon;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t border = input.find('\0');
  const std::string_view merges = input.substr(0, border);
  std::string_view text = border == input.npos ? std::string_view() : input.substr(border + 1);
  try {
    const data::BytePairs pairs(merges, "merges");
    std::size_t words = 0;
    while (!text.empty()) {
      const std::size_t bytes = data::first_word(text);
      if (bytes == 0 || bytes > text.size()) std::abort();
      std::vector<std::uint32_t> ids;
      pairs.encode(text.substr(0, bytes), ids);
      if (ids.empty() || ids.size() > bytes) std::abort();
      for (const std::uint32_t id : ids)
        if (id >= pairs.size()) std::abort();
      text.remove_prefix(bytes);
      ++words;
    }
    if (words > size) std::abort();
  } catch (const worker::Failure& failure) {
    if (std::string_view(failure.what()).find("merges") == std::string_view::npos) std::abort();
  }
  return 0;
}
