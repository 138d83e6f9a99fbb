// SPDX-License-Identifier: Apache-2.0
// Every setting in force and where it came from.
#include "base/text.h"
#include "report/sections/catalog.h"
#include "report/values.h"

namespace etalon::report {

namespace {

std::string value_in_words(const base::Json& values, const std::string& dotted_key) {
  const base::Json* place = &values;
  for (const std::string_view part : base::split(dotted_key, '.')) place = &place->at(std::string(part));
  return plain(*place);
}

Section section(const dossier::Dossier& dossier) {
  Table table{{"Key", "Value", "Unit", "Origin"}, {}};
  const base::Json values = recipe::to_json(dossier.recipe.recipe);
  for (const recipe::KeyDescription& key : recipe::describe_keys()) {
    const recipe::Origin& origin = dossier.recipe.origins.at(key.key);
    table.rows.push_back({key.key, value_in_words(values, key.key), key.unit, origin_in_words(origin)});
  }
  return {"Settings", {std::move(table)}};
}

}  // namespace

SectionMaker make_settings() { return {"settings", "every key of the resolved recipe with its origin", section}; }

}  // namespace etalon::report
