// SPDX-License-Identifier: Apache-2.0
// Every headline value with its interval, and how each was computed.
#include <fmt/format.h>

#include "report/sections/catalog.h"
#include "report/values.h"

namespace etalon::report {

namespace {

Section section(const dossier::Dossier& dossier) {
  Section section{"All values", {}};
  if (dossier.headline.empty()) return section;
  Table values{{"Quantity", "Value", fmt::format("{:g} % interval", 100 * dossier.recipe.recipe.measure.confidence)},
               {}};
  Table methods{{"Quantity", "How it was computed", "From"}, {}};
  for (const dossier::HeadlineValue& value : dossier.headline) {
    values.rows.push_back(
        {value.meaning, with_unit(value.estimate.value, value.unit), interval_in_words(value.estimate)});
    methods.rows.push_back({value.name, value.method, value.source});
  }
  section.blocks.emplace_back(std::move(values));
  section.blocks.emplace_back(std::move(methods));
  return section;
}

}  // namespace

SectionMaker make_values() { return {"values", "every headline value with its interval and its method", section}; }

}  // namespace etalon::report
