// SPDX-License-Identifier: Apache-2.0
// The Python files of the installed PyTorch: text that every machine with the same wheel has.
#include "worker/data/corpus.h"
#include "worker/data/sources/catalog.h"
#include "worker/data/text_tokens.h"

namespace etalon::data {

SourceKind torch_source_source() {
  return {"torch-source", "", "the Python sources of the installed torch package; every 100th file held out",
          [](const TokenRequest& request, const std::string&) {
            return make_text_source(request, read_torch_source(request.torch_folder));
          }};
}

}  // namespace etalon::data
