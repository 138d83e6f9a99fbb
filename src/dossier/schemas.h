// SPDX-License-Identifier: Apache-2.0
// The JSON files of a dossier against their JSON Schemas.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace etalon::dossier {

/// The text of schemas/dossier.schema.json as this executable was built with it.
const char* dossier_schema_text();
/// The text of schemas/environment.schema.json.
const char* environment_schema_text();

/// One thing in which a JSON document does not follow its schema.
struct SchemaProblem {
  std::string place;  ///< "launches[0].window.first_step"; empty for the document itself
  std::string problem;
};

/// Empty when the document follows the schema; at most 20 problems, innermost ones only.
std::vector<SchemaProblem> check_schema(const base::Json& document, const base::Json& schema);

}  // namespace etalon::dossier
