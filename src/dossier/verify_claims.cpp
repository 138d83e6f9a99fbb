// SPDX-License-Identifier: Apache-2.0
#include "dossier/verify_claims.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/text.h"
#include "dossier/layout.h"
#include "dossier/window.h"

namespace etalon::dossier {

namespace {

using measure::Verdict;

/// The value of "training.optimizer.lr" in the nested values, or null.
base::Json value_at(const base::Json& values, const std::string& dotted_key) {
  const base::Json* place = &values;
  for (const std::string_view part : base::split(dotted_key, '.')) {
    const auto member = place->find(std::string(part));
    if (member == place->end()) return nullptr;
    place = &*member;
  }
  return *place;
}

/// 3 and 3.0 are the same setting; the table of keys decides which one is kept.
bool same_setting(const base::Json& left, const base::Json& right) {
  if (left.is_number() && right.is_number()) return left == right || left.get<double>() == right.get<double>();
  if (left.is_array() && right.is_array()) return std::ranges::equal(left, right, same_setting);
  return left == right;
}

/// Who may stand above a value that the recipe gives: the command line, a profile that it names, and the machine where
/// the recipe leaves the choice to it.
bool may_override(const std::string& kind, bool profile_rules, const base::Json& written) {
  return kind == "command line" || (kind == "profile" && profile_rules) || (kind == "machine" && written == "auto");
}

bool completed(Verdict verdict) {
  return verdict != Verdict::failed && verdict != Verdict::interrupted && verdict != Verdict::refused;
}

bool same_bits(double left, double right) {
  return std::bit_cast<std::uint64_t>(left) == std::bit_cast<std::uint64_t>(right);
}

bool same_estimate(const statistics::Estimate& left, const statistics::Estimate& right) {
  const bool interval = left.samples < 2 || (same_bits(left.low, right.low) && same_bits(left.high, right.high) &&
                                             same_bits(left.confidence, right.confidence));
  return left.samples == right.samples && same_bits(left.value, right.value) && interval;
}

std::string in_words(const statistics::Estimate& estimate) {
  if (estimate.samples < 2) return base::to_text(estimate.value);
  return fmt::format("{} [{}, {}] at {} of {} samples", base::to_text(estimate.value), base::to_text(estimate.low),
                     base::to_text(estimate.high), base::to_text(estimate.confidence), estimate.samples);
}

std::string place_of(const LaunchRecord& launch) {
  return fmt::format("{}: launches[{}]", document_file, launch.index - 1);
}

void check_counts(const LaunchRecord& launch, const StepsSummary& steps, const LaunchEvents& events,
                  std::vector<Finding>& findings) {
  const std::string place = fmt::format("{}/{}", launch.folder.generic_string(), steps_file);
  const std::int64_t first_rank_steps = steps.ranks.empty() ? 0 : steps.ranks.front().steps;
  if (launch.outcome.steps != first_rank_steps)
    findings.push_back({place_of(launch) + ".steps",
                        fmt::format("it says {} steps, {} are recorded", launch.outcome.steps, first_rank_steps)});
  for (const auto& [rank, declared] : events.ranks) {
    const auto position = static_cast<std::size_t>(rank);
    const RankSeries recorded = position < steps.ranks.size() ? steps.ranks[position] : RankSeries{};
    if (!declared.units_per_step && recorded.steps > 0)
      findings.push_back({place, fmt::format("rank {} declared no units per step", rank)});
    if (declared.done_steps && *declared.done_steps != recorded.steps)
      findings.push_back({place, fmt::format("rank {} ended with {} steps done, {} are recorded", rank,
                                             *declared.done_steps, recorded.steps)});
    if (declared.done_units && *declared.done_units != recorded.units)
      findings.push_back({place, fmt::format("rank {} ended with {} units done, {} are recorded", rank,
                                             *declared.done_units, recorded.units)});
  }
}

void check_ranks(const LaunchRecord& launch, const StepsSummary& steps, const LaunchEvents& events,
                 std::vector<Finding>& findings) {
  const std::string place = launch.folder.generic_string();
  if (static_cast<std::int64_t>(steps.ranks.size()) != events.world_size)
    findings.push_back({place, fmt::format("steps of {} ranks are recorded where the launch has {}", steps.ranks.size(),
                                           events.world_size)});
  for (std::size_t rank = 0; rank < steps.ranks.size(); ++rank) {
    const auto declared = events.ranks.find(static_cast<int>(rank));
    if (declared == events.ranks.end() || !declared->second.done_steps)
      findings.push_back({place + "/" + events_file, fmt::format("rank {} never said that it was done", rank)});
  }
}

void check_window(const LaunchRecord& launch, const StepsSummary& steps, std::vector<Finding>& findings) {
  const measure::Window& window = *launch.outcome.window;
  const std::string place = place_of(launch) + ".window";
  if (window.last_step < window.first_step) findings.push_back({place, "it ends before it begins"});
  for (std::size_t rank = 0; rank < steps.ranks.size(); ++rank)
    if (window.last_step >= steps.ranks[rank].steps)
      findings.push_back({place, fmt::format("it reaches step {}, rank {} recorded {} steps", window.last_step, rank,
                                             steps.ranks[rank].steps)});
  if (steps.ranks.empty()) findings.push_back({place, "no steps are recorded"});
}

}  // namespace

std::size_t check_recipe(std::string_view recipe_toml, const base::Json& resolved, std::vector<Finding>& findings) {
  const recipe::RequestedRecipe requested =
      recipe::parse(recipe_toml, resolved.at("name").get<std::string>(), recipe_file);
  const base::Json& values = resolved.at("values");
  // A profile that the command line names stands above what the recipe says of the same keys.
  const bool profile_rules = resolved.at("origins").at("measure.profile").at("kind") == "command line";
  std::size_t compared = 0;
  for (const auto& [key, origin] : resolved.at("origins").items()) {
    const std::string kind = origin.at("kind").get<std::string>();
    const auto written = requested.values.find(key);
    const std::string place = fmt::format("{}: {}", resolved_file, key);
    if (kind == "recipe" && written == requested.values.end()) {
      findings.push_back({place, "it is said to come from the recipe, and recipe.toml does not give it"});
    } else if (kind == "recipe" && !same_setting(written->second.value, value_at(values, key))) {
      findings.push_back(
          {place, fmt::format("recipe.toml says {}, the resolved recipe {}", base::to_line(written->second.value),
                              base::to_line(value_at(values, key)))});
    } else if (kind != "recipe" && written != requested.values.end() &&
               !may_override(kind, profile_rules, written->second.value)) {
      findings.push_back({place, fmt::format("recipe.toml gives it, and it is said to come from: {}", kind)});
    } else {
      ++compared;
    }
  }
  return compared;
}

void check_launch(const LaunchRecord& launch, const StepsSummary& steps, const LaunchEvents& events,
                  std::vector<Finding>& findings) {
  const Verdict verdict = launch.outcome.verdict;
  if (!launch.ended) findings.push_back({place_of(launch), "the dossier is sealed and the launch has no outcome"});
  check_counts(launch, steps, events, findings);
  if (completed(verdict)) check_ranks(launch, steps, events, findings);
  if (launch.outcome.window) check_window(launch, steps, findings);
  if (verdict != Verdict::steady) return;
  if (!launch.outcome.window) findings.push_back({place_of(launch), "it is called steady and has no window"});
  for (const measure::GateState& gate : launch.outcome.gates)
    if (!gate.open)
      findings.push_back({place_of(launch), fmt::format("it is called steady and its gate \"{}\" is closed",
                                                        base::printable(gate.gate, 100))});
  if (launch.outcome.gates.empty())
    findings.push_back({place_of(launch), "it is called steady and no gate is recorded"});
}

void check_steady(const std::filesystem::path& folder, const LaunchRecord& launch, const StepsSummary& steps,
                  const LaunchEvents& events, const recipe::Recipe& recipe, std::vector<Finding>& findings) {
  if (launch.outcome.verdict != Verdict::steady || !launch.outcome.window || steps.ranks.empty()) return;
  const recipe::Measure& asked = recipe.measure;
  const WindowSeries series = read_window(folder / launch.folder, *launch.outcome.window, events);
  const statistics::Estimate estimate =
      statistics::throughput(series.steps, throughput_settings(recipe)).units_per_second;
  std::int64_t first_start_ns = steps.ranks.front().first_start_ns;
  for (const RankSeries& rank : steps.ranks) first_start_ns = std::min(first_start_ns, rank.first_start_ns);
  const auto claim = [&](bool holds, const char* what, double found, double threshold) {
    if (!holds)
      findings.push_back(
          {place_of(launch),
           fmt::format("it is called steady, and the {} recomputed from its steps is {} where the recipe asks for {}",
                       what, base::to_human(found, 6), base::to_human(threshold, 6))});
  };
  const double warm_up = base::seconds(series.start_ns - first_start_ns);
  const double measured = base::seconds(series.end_ns - series.start_ns - series.excluded_ns);
  const double drift = std::abs(statistics::halves_drift(series.steps));
  const auto batches = static_cast<double>(estimate.samples);
  claim(warm_up >= asked.warmup_seconds, "warm-up in seconds", warm_up, asked.warmup_seconds);
  claim(measured >= asked.window_seconds, "window in seconds", measured, asked.window_seconds);
  claim(batches >= static_cast<double>(asked.fewest_batches), "number of batches", batches,
        static_cast<double>(asked.fewest_batches));
  if (asked.half_width > 0)
    claim(estimate.relative_half_width() <= asked.half_width, "half-width of the interval",
          estimate.relative_half_width(), asked.half_width);
  if (asked.drift > 0) claim(drift <= asked.drift, "drift between the halves", drift, asked.drift);
}

void check_target(const LaunchRecord& launch, const LaunchEvents& events, const recipe::Recipe& recipe,
                  std::vector<Finding>& findings) {
  if (recipe.target.loss <= 0 && !events.target_step) return;
  std::optional<std::int64_t> found;
  for (const EvalRecord& eval : events.evals)
    if (eval.rank == 0 && eval.name == "held-out" && eval.loss <= recipe.target.loss) {
      found = eval.step;
      break;
    }
  const auto in_words = [](const std::optional<std::int64_t>& step) {
    return step ? fmt::format("reached after {} steps", *step) : std::string("not reached");
  };
  if (found != events.target_step)
    findings.push_back({fmt::format("{}/{}", launch.folder.generic_string(), events_file),
                        fmt::format("the target is said to be {}, the evaluations say {}", in_words(events.target_step),
                                    in_words(found))});
}

void check_verdict(const Document& document, const recipe::Recipe& recipe, std::vector<Finding>& findings) {
  const std::string place = fmt::format("{}: verdict", document_file);
  if (!document.verdict || !document.sealed) {
    findings.push_back({place, "the manifest is there, and dossier.json says that the run still goes on"});
    return;
  }
  if (*document.verdict != Verdict::steady) return;
  if (recipe.measure.profile == "smoke")
    findings.push_back({place, "the profile smoke has no gates and cannot be steady"});
  if (static_cast<std::int64_t>(document.launches.size()) != recipe.measure.launches)
    findings.push_back({place, fmt::format("steady with {} launches where the recipe asks for {}",
                                           document.launches.size(), recipe.measure.launches)});
  for (const LaunchRecord& launch : document.launches)
    if (launch.outcome.verdict != Verdict::steady)
      findings.push_back({place, fmt::format("the run is called steady and launch {} is \"{}\"", launch.index,
                                             measure::to_text(launch.outcome.verdict))});
}

std::size_t check_headline(const std::filesystem::path& folder, const Document& document, const recipe::Recipe& recipe,
                           std::vector<Finding>& findings) {
  const std::vector<HeadlineValue> recomputed = compute_headline(folder, recipe, document.launches);
  std::size_t agreeing = 0;
  for (const HeadlineValue& value : document.headline) {
    const std::string place = fmt::format("{}: headline.{}", document_file, base::printable(value.name, 100));
    const auto found = std::ranges::find(recomputed, value.name, &HeadlineValue::name);
    if (found == recomputed.end()) {
      findings.push_back({place, "the recorded series give no such value"});
    } else if (found->unit != value.unit) {
      findings.push_back(
          {place, fmt::format("its unit is {}, recomputed {}", base::printable(value.unit, 100), found->unit)});
    } else if (!same_estimate(value.estimate, found->estimate)) {
      findings.push_back(
          {place, fmt::format("recorded {}, recomputed {}", in_words(value.estimate), in_words(found->estimate))});
    } else {
      ++agreeing;
    }
  }
  for (const HeadlineValue& value : recomputed)
    if (std::ranges::count(document.headline, value.name, &HeadlineValue::name) != 1)
      findings.push_back(
          {fmt::format("{}: headline.{}", document_file, value.name), "it is not recorded exactly once"});
  return agreeing;
}

}  // namespace etalon::dossier
