// SPDX-License-Identifier: Apache-2.0
// The table of tokenizers, and what they share.
#include "worker/data/tokenizers/catalog.h"

#include <array>

#include "base/text.h"
#include "worker/failure.h"

namespace etalon::data {

std::unique_ptr<Tokenizer> make_tokenizer(const std::string& name) {
#define ETALON_MAKE_TOKENIZER(kind) kind##_tokenizer(),
  static const std::array kinds = {TOKENIZERS(ETALON_MAKE_TOKENIZER)};
#undef ETALON_MAKE_TOKENIZER
  std::vector<std::string> known;
  for (const TokenizerKind& kind : kinds) {
    const bool takes_argument = !kind.argument.empty();
    if (takes_argument ? name.starts_with(kind.prefix) && name.size() > kind.prefix.size() : name == kind.prefix) {
      return kind.make(name.substr(kind.prefix.size()));
    }
    known.push_back(std::string(kind.prefix) + std::string(kind.argument));
  }
  throw worker::unsupported("tokenizer \"" + name + "\" is not one of this worker's",
                            "set data.tokenizer to one of: " + base::join(known, ", "));
}

TokenRun Tokenizer::run(Text text) {
  std::vector<std::uint32_t> ids;
  const std::string_view bytes = text.bytes;
  std::size_t start = 0;
  for (const std::size_t end : text.document_ends) {
    if (start > 0 && end_of_document()) {
      ids.push_back(*end_of_document());
    }
    encode(bytes.substr(start, end - start), ids);
    start = end;
  }
  return run_of_ids(ids, vocabulary());
}

}  // namespace etalon::data
