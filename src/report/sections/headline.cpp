// SPDX-License-Identifier: Apache-2.0
// The results, what they are worth, and how each was computed.
#include <map>

#include <fmt/format.h>

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

const std::string& scope_of(const std::string& profile) {
  static const std::map<std::string, std::string> sentences = {
      {"smoke", "Profile smoke: seconds, without gates. Not publishable."},
      {"quick",
       "Profile quick: precision and drift are gated; thermal equilibrium is not, and one launch stands for all unless "
       "the recipe asks for more."},
  };
  static const std::string none;
  const auto found = sentences.find(profile);
  return found == sentences.end() ? none : found->second;
}

Section section(const dossier::Dossier& dossier) {
  Section section{"Result", {}};
  section.blocks.emplace_back(
      Paragraph{fmt::format("Verdict: {}. {}", measure::to_text(dossier.verdict), worth_of(dossier.verdict))});
  if (!dossier.reason.empty()) section.blocks.emplace_back(Paragraph{"Reason: " + dossier.reason});
  if (const std::string& scope = scope_of(dossier.recipe.recipe.measure.profile); !scope.empty())
    section.blocks.emplace_back(Paragraph{scope});
  if (dossier.headline.empty()) {
    section.blocks.emplace_back(Paragraph{"There are no values: no launch reached its measured window."});
    return section;
  }
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

SectionMaker make_headline() {
  return {"headline", "the verdict and the headline values with their intervals", section};
}

}  // namespace etalon::report
