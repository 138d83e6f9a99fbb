// SPDX-License-Identifier: Apache-2.0
// Any bytes as dossier.json: refused with a place, or read; what was read and written again reads the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "dossier/document.h"
#include "dossier/schemas.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace etalon;
  static const base::Json schema = base::parse_json(dossier::dossier_schema_text(), "schema");
  base::Json json;
  try {
    json = base::parse_json(std::string_view(reinterpret_cast<const char*>(data), size), "dossier.json");
  } catch (const base::Error&) {
    return 0;
  }
  if (!dossier::check_schema(json, schema).empty()) return 0;
  const base::Json first = dossier::to_json(dossier::document_from_json(json));
  if (!dossier::check_schema(first, schema).empty()) std::abort();
  if (dossier::to_json(dossier::document_from_json(first)) != first) std::abort();
  return 0;
}
