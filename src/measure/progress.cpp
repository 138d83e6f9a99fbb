// SPDX-License-Identifier: Apache-2.0
// Estimates for people; nothing here enters a dossier.
#include "measure/progress.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"

namespace etalon::measure {
namespace {

constexpr std::int64_t recent_ns = 5'000'000'000;

}  // namespace

void ProgressMeter::add(const MergedStep& step) {
  units_ += step.units;
  last_end_ns_ = step.end_ns;
  evaluating_ = false;
}

void ProgressMeter::add(const wire::Step& step) {
  if (step.loss) loss_ = step.loss;
}

std::string ProgressMeter::phase(const Judge& judge) const {
  if (ending_) return "ending";
  if (evaluating_) return "evaluating";
  if (judge.steps() == 0) return "starting";
  if (!judge.window_open()) return "warming up";
  const bool all_open =
      std::all_of(judge.gates().begin(), judge.gates().end(), [](const GateState& gate) { return gate.open; });
  return all_open ? "training on" : "measuring";
}

std::optional<double> ProgressMeter::recent_rate() {
  if (moments_.empty() || moments_.back().end_ns != last_end_ns_) moments_.push_back({last_end_ns_, units_});
  while (moments_.size() > 2 && last_end_ns_ - moments_[1].end_ns >= recent_ns) moments_.pop_front();
  const std::int64_t passed_ns = last_end_ns_ - moments_.front().end_ns;
  if (passed_ns <= 0 || moments_.front().end_ns == 0) return std::nullopt;
  return static_cast<double>(units_ - moments_.front().units) / base::seconds(passed_ns);
}

std::optional<double> ProgressMeter::remaining_seconds(const Judge& judge, std::optional<double> rate) const {
  if (judge.steps() == 0 || ending_) return std::nullopt;
  const Observation& seen = judge.observation();
  const recipe::Measure& measure = recipe_.measure;
  double left = std::max(0.0, measure.warmup_seconds - seen.training_seconds) +
                std::max(0.0, measure.window_seconds - seen.window_seconds);
  const bool ends_with_training = measure.until != "window";  // whatever the precision gate says
  if (seen.throughput && seen.window_seconds > 0 && !ends_with_training) {
    // The interval shrinks with the square root of the time measured.
    const double ratio = seen.throughput->units_per_second.relative_half_width() / measure.half_width;
    if (std::isfinite(ratio) && ratio > 1 && measure.profile != "smoke")
      left = std::max(left, seen.window_seconds * (ratio * ratio - 1));
  }
  const std::int64_t steps_left = recipe_.training.schedule.total_steps - judge.steps();
  if (ends_with_training && rate && *rate > 0 && steps_left > 0) {
    const double units_per_step = static_cast<double>(units_) / static_cast<double>(judge.steps());
    left = std::max(left, static_cast<double>(steps_left) * units_per_step / *rate);
  }
  return std::min(left, std::max(0.0, measure.cap_seconds - seen.training_seconds));
}

Progress ProgressMeter::at(std::int64_t now_ns, const Judge& judge) {
  Progress progress;
  const std::optional<double> rate = recent_rate();
  progress.phase = phase(judge);
  progress.elapsed_seconds = base::seconds(now_ns - start_ns_);
  progress.steps = judge.steps();
  progress.total_steps = recipe_.training.schedule.total_steps;
  progress.loss = loss_;
  progress.units_per_second = rate;
  if (const auto& throughput = judge.observation().throughput) {
    progress.units_per_second = throughput->units_per_second.value;
    const double half_width = throughput->units_per_second.relative_half_width();
    if (std::isfinite(half_width)) progress.relative_half_width = half_width;
  }
  progress.remaining_seconds = remaining_seconds(judge, rate);
  progress.unit = unit_;
  progress.gates = judge.gates();
  return progress;
}

}  // namespace etalon::measure
