// SPDX-License-Identifier: Apache-2.0
// The first screen: what was measured, on what, how sure it is, whether it may be published and if not why.
#include <map>

#include <fmt/format.h>

#include "report/key_facts.h"
#include "report/publishable.h"
#include "report/sections/catalog.h"
#include "report/values.h"

namespace etalon::report {

namespace {

const std::string& worth_of(measure::Verdict verdict) {
  using measure::Verdict;
  static const std::map<Verdict, std::string> sentences = {
      {Verdict::steady, "Every gate of the profile opened: the values hold for this machine in this state."},
      {Verdict::drifting,
       "The speed still changed while it was measured: the values describe a moment, not a steady state."},
      {Verdict::no_steady_state, "The gates did not open in time: the values are too uncertain to be quoted."},
      {Verdict::throttled,
       "The hardware slowed itself down while it was measured: the values hold for this cooling and power supply "
       "only."},
      {Verdict::ungated, "No gate was asked for: the values show that everything runs, and are not to be published."},
      {Verdict::interrupted, "The run was stopped before its end: the values, if any, rest on what had been recorded."},
      {Verdict::refused, "Preflight refused the run; nothing was measured."},
      {Verdict::failed, "The worker failed; nothing below is a result."},
      {Verdict::invalid, "A check of the numbers themselves failed; nothing below is a result."},
  };
  return sentences.at(verdict);
}

Tone tone_of(const dossier::Dossier& dossier, const std::vector<std::string>& objections) {
  using measure::Verdict;
  if (dossier.verdict == Verdict::refused || dossier.verdict == Verdict::failed || dossier.verdict == Verdict::invalid)
    return Tone::bad;
  return objections.empty() ? Tone::good : Tone::caution;
}

report::Verdict verdict_of(const dossier::Dossier& dossier) {
  report::Verdict verdict;
  verdict.word = measure::to_text(dossier.verdict);
  verdict.meaning = worth_of(dossier.verdict);
  verdict.reason = dossier.reason;
  verdict.objections = objections_to_publishing(dossier);
  verdict.tone = tone_of(dossier, verdict.objections);
  if (dossier.headline.empty()) {
    verdict.interval = "There are no values: no launch reached its measured window.";
    return verdict;
  }
  const dossier::HeadlineValue& value = dossier.headline.front();
  verdict.value = with_unit(value.estimate.value, value.unit);
  verdict.quantity = value.meaning;
  const std::string interval = interval_in_words(value.estimate);
  verdict.interval = value.estimate.samples < 2
                         ? "without an interval: how sure it is, is not known"
                         : fmt::format("{:g} % interval {}", 100 * value.estimate.confidence, interval);
  return verdict;
}

Section section(const Material& material) {
  Section section{"Result", {}};
  section.blocks.emplace_back(verdict_of(material.dossier));
  section.blocks.emplace_back(key_facts(material));
  return section;
}

}  // namespace

SectionMaker make_headline() {
  return {"headline",
          "the value with its interval and verdict, whether it may be published, and what was measured on what",
          section};
}

}  // namespace etalon::report
