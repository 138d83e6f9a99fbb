// SPDX-License-Identifier: Apache-2.0
#include "report/publishable.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/values.h"

namespace etalon::report {

namespace {

using Objections = std::vector<std::string>;

void look_at_verdict(const dossier::Dossier& dossier, Objections& objections) {
  if (!dossier.sealed) objections.emplace_back("The dossier was never sealed.");
  if (dossier.headline.empty()) objections.emplace_back("Nothing was measured.");
  if (dossier.verdict != measure::Verdict::steady)
    objections.push_back(fmt::format("The verdict is \"{}\", not \"steady\".", measure::to_text(dossier.verdict)));
}

void look_at_profile(const dossier::Dossier& dossier, Objections& objections) {
  const std::string& profile = dossier.recipe.recipe.measure.profile;
  if (profile == "smoke")
    objections.emplace_back("Profile smoke takes seconds and has no gates: it shows that everything runs.");
  if (profile == "quick")
    objections.emplace_back("Profile quick gates precision and drift, and waives thermal equilibrium.");
  for (const char* key : {"measure.warmup_seconds", "measure.window_seconds", "measure.half_width", "measure.drift",
                          "measure.fewest_batches"}) {
    const auto origin = dossier.recipe.origins.find(key);
    if (origin == dossier.recipe.origins.end() || origin->second.kind == "profile" || origin->second.kind == "built-in")
      continue;
    objections.push_back(
        fmt::format("{} is not the profile's: it comes from {}.", key, origin_in_words(origin->second)));
  }
}

void look_at_launches(const dossier::Dossier& dossier, Objections& objections) {
  const auto measured = static_cast<std::size_t>(std::ranges::count_if(
      dossier.launches, [](const dossier::LaunchRecord& launch) { return launch.outcome.window.has_value(); }));
  if (measured > 0 && measured < launches_to_publish)
    objections.push_back(fmt::format("It rests on {} {}; {} are asked for, because launches differ more than steps do.",
                                     measured, measured == 1 ? "launch" : "launches", launches_to_publish));
}

void look_at_checks(const dossier::Dossier& dossier, Objections& objections) {
  if (!dossier.preflight.is_object() || !dossier.preflight.contains("findings")) return;
  for (const base::Json& finding : dossier.preflight.at("findings"))
    if (finding.is_object() && finding.value("level", base::Json()) == "fail")
      objections.push_back(fmt::format("Before the start, check {} failed: {}.",
                                       plain(finding.value("id", base::Json("?"))),
                                       plain(finding.value("evidence", base::Json("")))));
}

}  // namespace

Objections objections_to_publishing(const dossier::Dossier& dossier) {
  Objections objections;
  look_at_verdict(dossier, objections);
  look_at_profile(dossier, objections);
  look_at_launches(dossier, objections);
  look_at_checks(dossier, objections);
  return objections;
}

}  // namespace etalon::report
