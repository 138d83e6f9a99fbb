// SPDX-License-Identifier: Apache-2.0
// Before the first step a worker may be silent (it builds, compiles, loads); afterwards it may not; told to stop, it has little time.
#include "measure/deadlines.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/clock.h"

namespace etalon::measure {
void Deadlines::add(const MergedStep& step) {
  stepped_ = true;
  last_step_start_ns_ = step.start_ns;
  step_seconds_ = std::max(base::seconds(step.end_ns - step.start_ns), 0.9 * step_seconds_);
}

void Deadlines::stop_ordered(std::int64_t now_ns) {
  stop_ns_ = now_ns;
  phase_.clear();
}

std::optional<Overdue> Deadlines::passed(std::int64_t now_ns, std::int64_t last_event_ns) const {
  if (stop_ns_) return passed_after_stop(now_ns, last_event_ns);
  return stepped_ ? passed_in_training(now_ns, last_event_ns) : passed_before_first_step(now_ns);
}

std::optional<Overdue> Deadlines::passed_before_first_step(std::int64_t now_ns) const {
  const double allowed = recipe_.launch.startup_deadline_seconds;
  if (base::seconds(now_ns - start_ns_) <= allowed) return std::nullopt;
  return Overdue{fmt::format("the worker made no step within {:g} s of its start", allowed),
                 "read worker.log; if it was still loading or compiling, raise launch.startup_deadline_seconds"};
}

std::optional<Overdue> Deadlines::passed_in_training(std::int64_t now_ns, std::int64_t last_event_ns) const {
  const double allowed = recipe_.launch.silence_deadline_seconds;
  if (base::seconds(now_ns - last_event_ns) <= allowed) return std::nullopt;
  return Overdue{
      fmt::format("the worker said nothing for {:g} s", allowed),
      "read worker.log; if steps or evaluations are honestly that slow, raise launch.silence_deadline_seconds"};
}

double Deadlines::step_grace_seconds() const { return std::max(stop_grace_seconds_, 3 * step_seconds_); }

std::optional<Overdue> Deadlines::passed_after_stop(std::int64_t now_ns, std::int64_t last_event_ns) const {
  const std::string next_step =
      "a worker looks for \"stop\" after every step and then sends \"done\" (docs/protocol.md)";
  const double grace = step_grace_seconds();
  if (stepped_ && base::seconds(last_step_start_ns_ - *stop_ns_) > grace) {
    return Overdue{fmt::format("the worker began another step {:.1f} s after it was told to stop",
                               base::seconds(last_step_start_ns_ - *stop_ns_)),
                   next_step};
  }
  // A last evaluation takes its time; one that was not announced is believed where the recipe wants it.
  const bool evaluates = phase_ == "eval" || phase_ == "finish" || recipe_.evaluation.sequences > 0;
  const double silence = evaluates ? std::max(grace, recipe_.launch.silence_deadline_seconds) : grace;
  const double waited = base::seconds(now_ns - std::max(*stop_ns_, last_event_ns));
  const double in_all = base::seconds(now_ns - *stop_ns_);
  if (waited <= silence && in_all <= grace + 2 * silence) return std::nullopt;
  return Overdue{fmt::format("the worker did not end within {:.0f} s of being told to stop", in_all), next_step};
}

}  // namespace etalon::measure
