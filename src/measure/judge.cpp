// SPDX-License-Identifier: Apache-2.0
// The window's life. Every step goes into the window and into each later mark, so that moving the start needs no history.
#include "measure/judge.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/number.h"

namespace etalon::measure {
namespace {

/// With until = "training" the evaluation at total_steps is awaited; a worker that never evaluates is not awaited for ever.
constexpr std::int64_t steps_to_await_evaluation = 50;

constexpr std::string_view advice_for_unsteadiness =
    "the machine's speed wandered: close other programs and run again, or give it more time (measure.cap_seconds); the "
    "telemetry in the dossier shows what else happened";

statistics::ThroughputSettings settings_of(const recipe::Measure& measure) {
  statistics::ThroughputSettings settings;
  settings.confidence = measure.confidence;
  settings.fewest_batches = static_cast<std::size_t>(measure.fewest_batches);
  return settings;
}

}  // namespace

Judge::Judge(const recipe::Recipe& recipe)
    : recipe_(recipe), settings_(settings_of(recipe.measure)), gates_(make_gates(recipe.measure)) {
  observe();
}

void Judge::add(const MergedStep& step) {
  if (!first_start_ns_) first_start_ns_ = step.start_ns;
  last_end_ns_ = step.end_ns;
  ++steps_;
  if (closed_) return;
  const bool is_warm = base::seconds(step.previous_end_ns - *first_start_ns_) >= recipe_.measure.warmup_seconds;
  if (marks_.empty() && is_warm) marks_.emplace_back(step.index);
  for (Mark& mark : marks_) mark.series.add(step.units, step.duration_ns);
  if (!marks_.empty()) place_mark();
}

void Judge::add(const wire::Eval& eval, int rank) {
  evaluated_steps_ = std::max(evaluated_steps_, eval.step);
  if (rank != 0 || eval.name != "held-out" || target_step_) return;
  lowest_loss_ = std::min(lowest_loss_.value_or(eval.loss), eval.loss);
  if (recipe_.target.loss > 0 && eval.loss <= recipe_.target.loss) target_step_ = eval.step;
}

void Judge::place_mark() {
  const double measured = base::seconds(marks_.front().series.duration_ns());
  const double last_offset =
      measured - (marks_.size() < 2 ? measured : base::seconds(marks_.back().series.duration_ns()));
  const double next_offset = marks_.size() < 2 ? recipe_.measure.window_seconds : 2 * last_offset;
  if (measured >= next_offset && next_offset > 0) marks_.emplace_back(steps_);
}

bool Judge::slide() {
  const double measured = base::seconds(marks_.front().series.duration_ns());
  if (measured <= 2 * recipe_.measure.window_seconds) return false;
  std::size_t chosen = 0;
  for (std::size_t index = 1; index < marks_.size(); ++index) {
    if (2 * base::seconds(marks_[index].series.duration_ns()) >= measured) chosen = index;
  }
  marks_.erase(marks_.begin(), marks_.begin() + static_cast<std::ptrdiff_t>(chosen));
  if (chosen > 0) ++restarts_;
  return chosen > 0;
}

void Judge::observe() {
  observation_ = {};
  if (first_start_ns_) observation_.training_seconds = base::seconds(last_end_ns_ - *first_start_ns_);
  if (!marks_.empty() && marks_.front().series.duration_ns() > 0) {
    const statistics::BatchSeries& series = marks_.front().series;
    observation_.window_seconds = base::seconds(series.duration_ns());
    observation_.throughput = statistics::throughput(series, settings_);
    if (series.steps() > 1) observation_.drift = statistics::halves_drift(series);
  }
  states_.clear();
  for (const std::unique_ptr<Gate>& gate : gates_) states_.push_back(gate->look(observation_));
}

bool Judge::all_open() const {
  return std::all_of(states_.begin(), states_.end(), [](const GateState& state) { return state.open; });
}

bool Judge::is_open(std::string_view gate) const {
  return std::all_of(states_.begin(), states_.end(),
                     [gate](const GateState& state) { return state.gate != gate || state.open; });
}

bool Judge::training_complete() const {
  const std::int64_t total_steps = recipe_.training.schedule.total_steps;
  if (steps_ < total_steps) return false;
  return recipe_.evaluation.sequences == 0 || evaluated_steps_ >= total_steps ||
         steps_ >= total_steps + steps_to_await_evaluation;
}

bool Judge::goal_reached() const { return training_complete() || (recipe_.measure.until == "target" && target_step_); }

bool Judge::has_its_length() const { return observation_.window_seconds >= recipe_.measure.window_seconds; }

std::optional<Conclusion> Judge::look(std::int64_t now_ns) {
  if (closed_ || !first_start_ns_) return std::nullopt;
  observe();
  if (awaits_more_than_gates() && goal_reached() && has_its_length())
    return conclude_as_found(training_complete() ? "after the training: " : "");
  if (!awaits_more_than_gates() && all_open()) return conclude_as_found("");
  if (base::seconds(now_ns - *first_start_ns_) >= recipe_.measure.cap_seconds) {
    const std::int64_t total_steps = recipe_.training.schedule.total_steps;
    const std::string cut = awaits_more_than_gates() && !goal_reached()
                                ? fmt::format(", after {} of {} steps", steps_, total_steps)
                                : std::string();
    return conclude_as_found(fmt::format("at the cap of {:.0f} s{}: ", recipe_.measure.cap_seconds, cut));
  }
  if (window_open() && !is_open("drift") && slide()) observe();
  return std::nullopt;
}

Conclusion Judge::conclude_early() {
  observe();
  return conclude_as_found(fmt::format("the worker finished by itself after {} steps: ", steps_));
}

/// The verdict on the gates as they stand.
Conclusion Judge::conclude_as_found(const std::string& when) {
  return conclude(all_open() ? good_verdict() : verdict_with_closed_gates(),
                  target_in_words() + when + what_was_found());
}

Conclusion Judge::conclude(Verdict verdict, std::string reason) {
  closed_ = window();
  const bool unsteady = verdict == Verdict::drifting || verdict == Verdict::no_steady_state;
  return {verdict, std::move(reason), unsteady ? std::string(advice_for_unsteadiness) : std::string()};
}

Verdict Judge::good_verdict() const { return recipe_.measure.profile == "smoke" ? Verdict::ungated : Verdict::steady; }

Verdict Judge::verdict_with_closed_gates() const {
  if (!window_open()) return Verdict::no_steady_state;
  if (recipe_.measure.profile == "smoke") return Verdict::ungated;
  return is_open("drift") ? Verdict::no_steady_state : Verdict::drifting;
}

/// Said of every launch with a target, also of one that missed it.
std::string Judge::target_in_words() const {
  if (recipe_.target.loss <= 0) return "";
  const std::string target = "the target loss of " + base::to_text(recipe_.target.loss);
  if (target_step_) return fmt::format("{} was reached by the evaluation after {} steps; ", target, *target_step_);
  if (!lowest_loss_) return fmt::format("{} was never looked for: there was no evaluation; ", target);
  return fmt::format("{} was not reached, the lowest held-out loss was {}; ", target, base::to_human(*lowest_loss_, 6));
}

std::string Judge::what_was_found() const {
  std::string found;
  for (const bool open : {false, true}) {
    for (const GateState& state : states_) {
      if (state.open == open)
        found +=
            fmt::format("{}{} {} ({})", found.empty() ? "" : ", ", state.gate, open ? "open" : "closed", state.reason);
    }
  }
  return found;
}

std::optional<Window> Judge::window() const {
  if (closed_) return closed_;
  if (marks_.empty() || marks_.front().series.duration_ns() <= 0) return std::nullopt;
  return Window{marks_.front().first_step, steps_ - 1};
}

}  // namespace etalon::measure
