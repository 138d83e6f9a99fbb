// SPDX-License-Identifier: Apache-2.0
// Whether the target loss was reached, and after what: launch by launch, also of those that missed it.
#include <fmt/format.h>

#include "base/clock.h"
#include "base/number.h"
#include "dossier/target.h"
#include "report/sections/catalog.h"
#include "report/values.h"

namespace etalon::report {

namespace {

std::string loss_in_words(const std::optional<dossier::EvalRecord>& eval) {
  return eval ? fmt::format("{} after {} steps", base::to_human(eval->loss, 6), eval->step) : "no evaluation";
}

std::vector<std::string> row_of(const dossier::Dossier& dossier, const dossier::LaunchRecord& launch) {
  const std::filesystem::path folder = dossier.folder / launch.folder;
  const std::string number = std::to_string(launch.index);
  try {
    const dossier::TargetOutcome outcome =
        dossier::target_outcome(folder, dossier::read_events(folder), dossier.recipe.recipe.target.loss);
    if (!outcome.reached_by) return {number, "never reached", loss_in_words(outcome.lowest), "", "", ""};
    const auto seconds = [](std::int64_t duration_ns) { return with_unit(base::seconds(duration_ns), "s"); };
    const std::string missed = outcome.last_miss ? " (before: " + loss_in_words(outcome.last_miss) + ")" : "";
    return {number,
            "reached",
            loss_in_words(outcome.reached_by) + missed,
            seconds(outcome.training_ns),
            seconds(outcome.evaluation_ns),
            base::to_human(static_cast<double>(outcome.units), 1)};
  } catch (const std::exception& error) {
    return {number, "unknown", error.what(), "", "", ""};
  }
}

Section section(const dossier::Dossier& dossier) {
  Section section{"Target", {}};
  const double loss = dossier.recipe.recipe.target.loss;
  if (loss <= 0 || dossier.launches.empty()) return section;
  section.blocks.emplace_back(Paragraph{fmt::format(
      "Wanted: a held-out loss of {} nats or less. The training time counts every step before the evaluation that "
      "first found it; evaluations are counted apart. The loss fell below the target some time after the evaluation "
      "before.",
      base::to_text(loss))});
  Table table{{"Launch", "Target", "Held-out loss", "Training time", "Evaluation time", "Units trained"}, {}};
  for (const dossier::LaunchRecord& launch : dossier.launches) table.rows.push_back(row_of(dossier, launch));
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace

SectionMaker make_target() { return {"target", "whether the target loss was reached, and after what time", section}; }

}  // namespace etalon::report
