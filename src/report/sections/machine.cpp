// SPDX-License-Identifier: Apache-2.0
// Where it ran: every captured fact, and why the others are missing.
#include <fmt/format.h>

#include "report/sections/catalog.h"
#include "report/values.h"

namespace etalon::report {

namespace {

Section section(const dossier::Dossier& dossier) {
  Table known{{"Fact", "Value", "Meaning", "Read from"}, {}};
  Table missing{{"Not known", "State", "Reason", "Meaning"}, {}};
  for (const base::Json& fact : dossier.environment.at("machine").at("facts")) {
    const std::string name = fact.at("name");
    const std::string meaning = fact.at("meaning");
    const std::string state = fact.at("state");
    if (state == "value") {
      const std::string unit = fact.value("unit", std::string());
      known.rows.push_back({name, fact_in_words(fact.at("value"), unit), meaning, fact.at("origin")});
    } else {
      missing.rows.push_back({name, state, fact.at("reason"), meaning});
    }
  }
  Section section{"Machine", {}};
  const base::Json& build = dossier.environment.at("etalon");
  section.blocks.emplace_back(
      Paragraph{fmt::format("Measured by étalon {}, commit {}, built with {} ({}).",
                            build.at("version").get<std::string>(), build.at("commit").get<std::string>(),
                            build.at("compiler").get<std::string>(), build.at("build_type").get<std::string>())});
  if (!known.rows.empty()) section.blocks.emplace_back(std::move(known));
  if (!missing.rows.empty()) section.blocks.emplace_back(std::move(missing));
  return section;
}

}  // namespace

SectionMaker make_machine() { return {"machine", "the captured facts, and the reasons of those missing", section}; }

}  // namespace etalon::report
