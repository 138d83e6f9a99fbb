// SPDX-License-Identifier: Apache-2.0
#include "dossier/schemas.h"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "base/text.h"

namespace etalon::dossier {

namespace {

constexpr std::size_t most_problems = 20;

/// "<root>[launches][0][window]" → "launches[0].window"
std::string place_of(const std::string& context) {
  std::string place;
  std::size_t start = context.find('[');
  while (start != std::string::npos) {
    const std::size_t end = context.find(']', start);
    if (end == std::string::npos) break;
    const std::string part = context.substr(start + 1, end - start - 1);
    const bool is_number = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
    if (is_number) {
      place += "[" + part + "]";
    } else {
      place += (place.empty() ? "" : ".") + part;
    }
    start = context.find('[', end);
  }
  return base::printable(place, 200);
}

}  // namespace

std::vector<SchemaProblem> check_schema(const base::Json& document, const base::Json& schema) {
  using Adapter = valijson::adapters::NlohmannJsonAdapter;
  const nlohmann::json plain_schema = schema;
  const nlohmann::json plain_document = document;
  valijson::Schema parsed;
  valijson::SchemaParser parser;
  parser.populateSchema(Adapter(plain_schema), parsed);
  valijson::ValidationResults results;
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  std::vector<SchemaProblem> problems;
  if (validator.validate(parsed, Adapter(plain_document), &results)) return problems;
  std::size_t deepest = 0;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    std::string context;
    for (const std::string& part : error.context) context += part;
    // Outer objects merely repeat that something inside them fails.
    if (error.context.size() < deepest && !problems.empty()) continue;
    deepest = error.context.size();
    if (problems.size() < most_problems)
      problems.push_back({place_of(context), base::printable(error.description, 300)});
  }
  return problems;
}

}  // namespace etalon::dossier
