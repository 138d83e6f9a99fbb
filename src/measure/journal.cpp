// SPDX-License-Identifier: Apache-2.0
// Controller events carry rank -1: they belong to no rank.
#include "measure/journal.h"

#include <cmath>

#include "base/clock.h"

namespace etalon::measure {
namespace {

constexpr int no_rank = -1;
constexpr std::int64_t gates_interval_ns = 5'000'000'000;

std::int64_t clock_offset_ns() { return base::wall_clock_ns() - base::monotonic_ns(); }

bool same_doors(const std::vector<GateState>& left, const std::vector<GateState>& right) {
  if (left.size() != right.size()) return false;
  for (std::size_t index = 0; index < left.size(); ++index) {
    if (left[index].open != right[index].open) return false;
  }
  return true;
}

base::Json number(double value) { return std::isfinite(value) ? base::Json(value) : base::Json(nullptr); }

}  // namespace

Journal::Journal(Recorder& recorder) : recorder_(recorder), clock_(clock_offset_ns()) {}

void Journal::say(std::string_view type, const base::Json& members) {
  base::Json event = base::Json::object();
  event["type"] = type;
  event.update(members);
  recorder_.event("controller", no_rank, event);
}

void Journal::gates(const std::vector<GateState>& states, std::int64_t now_ns) {
  if (same_doors(states, last_states_) && now_ns - last_gates_ns_ < gates_interval_ns) return;
  last_states_ = states;
  last_gates_ns_ = now_ns;
  for (const GateState& state : states) {
    say("gate", {{"gate", state.gate},
                 {"open", state.open},
                 {"value", number(state.value)},
                 {"threshold", number(state.threshold)},
                 {"unit", state.unit},
                 {"reason", state.reason}});
  }
}

void Journal::check_clock() {
  if (const std::optional<double> stepped = clock_.stepped(clock_offset_ns()))
    say("clock_stepped", {{"seconds", *stepped}});
}

}  // namespace etalon::measure
