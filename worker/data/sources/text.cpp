// SPDX-License-Identifier: Apache-2.0
// A text of the user's.
#include "worker/data/corpus.h"
#include "worker/data/sources/catalog.h"
#include "worker/data/text_tokens.h"

namespace etalon::data {

SourceKind text_source() {
  return {
      "text:", "FILE", "any text file; the last hundredth of its tokens held out",
      [](const TokenRequest& request, const std::string& file) { return make_text_source(request, read_text(file)); }};
}

}  // namespace etalon::data
