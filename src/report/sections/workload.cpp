// SPDX-License-Identifier: Apache-2.0
// What was really trained, as the worker declared it once its model was built.
#include <fmt/format.h>

#include "base/error.h"
#include "base/number.h"
#include "dossier/events.h"
#include "report/sections/catalog.h"
#include "report/values.h"

namespace etalon::report {

namespace {

/// {"dtypes": {"matmul": "bf16"}} → one row "dtypes.matmul | bf16".
void flatten(const std::string& name, const base::Json& value, Table& table) {
  if (!value.is_object()) {
    table.rows.push_back({name, plain(value)});
    return;
  }
  for (const auto& [key, inner] : value.items())
    flatten(name.empty() ? key : fmt::format("{}.{}", name, key), inner, table);
}

void add_hello(const base::Json& hello, Table& table) {
  for (const char* name : {"engine", "device", "world_size", "versions"})
    if (hello.contains(name)) flatten(name, hello.at(name), table);
}

void add_config(const base::Json& config, Table& table) {
  const std::string unit = config.value("unit", std::string("unit"));
  if (config.contains("parameters"))
    table.rows.push_back({"parameters", base::to_human(config.at("parameters").get<double>(), 1)});
  if (config.contains("units_per_step"))
    table.rows.push_back({unit + "s per step and rank", base::to_human(config.at("units_per_step").get<double>(), 1)});
  if (config.contains("flops_per_unit"))
    table.rows.push_back({"FLOPs per " + unit, base::to_human(config.at("flops_per_unit").get<double>(), 1)});
  if (config.contains("details")) flatten("", config.at("details"), table);
}

Section section(const dossier::Dossier& dossier) {
  Section section{"Workload", {}};
  const recipe::Workload& workload = dossier.recipe.recipe.workload;
  section.blocks.emplace_back(
      Paragraph{fmt::format("Recipe {}: {} {}, context {}, data {}.", dossier.recipe.name, workload.family,
                            workload.model, workload.context, dossier.recipe.recipe.data.source)});
  if (dossier.launches.empty()) return section;
  try {
    const dossier::LaunchEvents events = dossier::read_events(dossier.folder / dossier.launches.front().folder);
    Table table{{"In force (launch 1)", "Value"}, {}};
    if (events.hello.is_object()) add_hello(events.hello, table);
    if (events.config.is_object()) add_config(events.config, table);
    if (table.rows.empty()) section.blocks.emplace_back(Paragraph{"The worker never said what it trains."});
    if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
  } catch (const std::exception& error) {
    section.blocks.emplace_back(Paragraph{fmt::format("What the worker declared cannot be read: {}", error.what())});
  }
  return section;
}

}  // namespace

SectionMaker make_workload() { return {"workload", "what was trained, as the worker declared it", section}; }

}  // namespace etalon::report
