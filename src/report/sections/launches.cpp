// SPDX-License-Identifier: Apache-2.0
// Every start of the worker: how it went, what was measured of it, and what its gates found.
#include <fmt/format.h>

#include "report/sections/catalog.h"
#include "report/values.h"

namespace etalon::report {

namespace {

std::string window_in_words(const std::optional<measure::Window>& window) {
  if (!window) return "not reached";
  return fmt::format("steps {} to {}", window->first_step, window->last_step);
}

/// A share reads best in percent.
std::string number_in_words(double value, const std::string& unit) {
  return unit == "relative" ? with_unit(100 * value, "%", 2) : with_unit(value, unit, 3);
}

void add_notes(const Material& material, Section& section) {
  Table notes{{"Launch", "Rank", "Level", "What the worker noted"}, {}};
  for (const LaunchSeries& launch : material.launches)
    for (const dossier::NoteRecord& note : launch.events.notes)
      notes.rows.push_back({std::to_string(launch.launch), std::to_string(note.rank), note.level, note.text});
  if (!notes.rows.empty()) section.blocks.emplace_back(std::move(notes));
}

Section section(const Material& material) {
  const dossier::Dossier& dossier = material.dossier;
  Section section{"Launches", {}};
  if (dossier.launches.empty()) {
    section.blocks.emplace_back(Paragraph{"The worker was never started."});
    return section;
  }
  Table launches{{"Launch", "Verdict", "Steps", "Window", "The worker", "Reason"}, {}};
  Table gates{{"Launch", "Gate", "State", "Found", "Asked for", "In words"}, {}};
  for (const dossier::LaunchRecord& launch : dossier.launches) {
    const measure::LaunchOutcome& outcome = launch.outcome;
    const std::string number = std::to_string(launch.index);
    launches.rows.push_back(
        {number, std::string(measure::to_text(outcome.verdict)),
         launch.ended ? std::to_string(outcome.steps) : "not counted", window_in_words(outcome.window),
         outcome.ending.empty() ? "unknown" : outcome.ending,
         outcome.next_step.empty() ? outcome.reason : outcome.reason + " Next step: " + outcome.next_step});
    for (const measure::GateState& gate : outcome.gates)
      gates.rows.push_back({number, gate.gate, gate.open ? "open" : "closed", number_in_words(gate.value, gate.unit),
                            number_in_words(gate.threshold, gate.unit), gate.reason});
  }
  section.blocks.emplace_back(std::move(launches));
  if (!gates.rows.empty()) section.blocks.emplace_back(std::move(gates));
  add_notes(material, section);
  return section;
}

}  // namespace

SectionMaker make_launches() {
  return {"launches", "each launch with its window and the numbers of its gates", section};
}

}  // namespace etalon::report
