// SPDX-License-Identifier: Apache-2.0
// Every way a launch ends: in good order, by deadline, by its own fault, by ours. One verdict stands at the end of each.
#include <algorithm>

#include <fmt/format.h>

#include "base/clock.h"
#include "measure/measurement.h"

namespace etalon::measure {
namespace {

constexpr int term_grace_ms = 1000;
constexpr int most_drains = 1024;

/// A later finding replaces an earlier one only when it weighs more.
int weight(Verdict verdict) {
  if (verdict == Verdict::interrupted) return 2;
  return verdict == Verdict::failed ? 1 : 0;
}

std::string next_step_after(const launch::Ending& ending) {
  if (ending.signal == 9)
    return "if nobody killed it, memory ran out: look at dmesg for the kernel's out-of-memory message, and lower "
           "training.micro_batch";
  if (ending.exit_status == 0) return "a worker ends with \"done\" (docs/protocol.md); read worker.log";
  return "read worker.log";
}

}  // namespace

void Measurement::conclude(Verdict verdict, const std::string& reason, const std::string& next_step) {
  if (concluded_ && weight(verdict) <= weight(outcome_.verdict)) return;
  concluded_ = true;
  outcome_.verdict = verdict;
  outcome_.reason = reason;
  outcome_.next_step = next_step;
  outcome_.window = judge_.window();
  journal_.say("concluded", {{"verdict", to_text(verdict)}, {"reason", reason}});
}

void Measurement::fail(const std::string& reason, const std::string& next_step) {
  conclude(Verdict::failed, reason, next_step);
}

void Measurement::order_stop(const std::string& reason) {
  if (stop_ordered_) return;
  stop_ordered_ = true;
  progress_.ending();
  deadlines_.stop_ordered(base::monotonic_ns());
  journal_.say("stop", {{"reason", reason}});
  for (const auto& connection : connections_) {
    if (connection->ledger().greeted() && !connection->closed()) connection->send(wire::Stop{reason});
  }
}

void Measurement::end_within(double seconds) {
  const std::int64_t deadline_ns = base::monotonic_ns() + static_cast<std::int64_t>(seconds * 1e9);
  must_end_by_ns_ = std::min(must_end_by_ns_.value_or(deadline_ns), deadline_ns);
  if (seconds == 0) next_tick_ns_ = 0;
}

void Measurement::check_deadlines(std::int64_t now_ns) {
  if (tree_gone_) return;
  if (must_end_by_ns_ && now_ns >= *must_end_by_ns_) return end_tree(term_grace_ms);
  if (must_end_by_ns_) return;
  if (const std::optional<Overdue> overdue = deadlines_.passed(now_ns, quietest_event_ns())) {
    journal_.say("deadline", {{"what", overdue->what}});
    fail(overdue->what, overdue->next_step);
    end_tree(term_grace_ms);
  }
}

void Measurement::end_tree(int grace_ms) {
  journal_.say("ending_worker");
  on_tree_gone(job_->end(grace_ms));
}

/// Nothing writes any more: what is still in the pipes is all there will be.
void Measurement::on_tree_gone(const launch::Ending& ending) {
  for (int count = 0; count < most_drains && output_open_; ++count) read_output();
  for (int count = 0; count < most_drains; ++count) receive_all();
  tree_gone_ = true;
  outcome_.ending = ending.in_words();
  journal_.say("ended", {{"how", outcome_.ending}});
  if (all_done()) {
    if (may_still_judge()) on_done();
    return;
  }
  fail(why_not_done(ending), next_step_after(ending));
}

std::string Measurement::why_not_done(const launch::Ending& ending) const {
  const auto is_lost = [](const auto& connection) {
    return connection->closed() && connection->ledger().greeted() && !connection->ledger().done();
  };
  const auto has_half_line = [](const auto& connection) { return !connection->half_line().empty(); };
  std::string reason = fmt::format("the worker {}{} {}", ending.signal ? "was " : "", ending.in_words(), when());
  if (ending.ended_by_us && std::ranges::any_of(connections_, is_lost))
    reason = fmt::format("the worker closed its connection {} and ran on", when());
  if (ending.exit_status == 0 || ending.ended_by_us) reason += ", without having said \"done\"";
  if (std::ranges::any_of(connections_, has_half_line)) reason += "; it stopped in the middle of a line";
  if (const std::string words = log_.last_words(); !words.empty()) reason += fmt::format("; its last words: {}", words);
  return reason;
}

void Measurement::finish() {
  log_.finish();
  take_telemetry();
  telemetry_.reset();
  outcome_.gates = judge_.gates();
  journal_.gates(outcome_.gates, base::monotonic_ns());
  session_.recorder.flush(true);
}

bool Measurement::all_done() const {
  const auto done = std::ranges::count_if(
      connections_, [](const auto& connection) { return connection->ledger().done().has_value(); });
  return done == world_size_;
}

std::int64_t Measurement::quietest_event_ns() const {
  std::int64_t quietest_ns = base::monotonic_ns();
  for (const auto& connection : connections_) {
    if (connection->ledger().greeted() && !connection->ledger().done())
      quietest_ns = std::min(quietest_ns, connection->last_event_ns());
  }
  return quietest_ns;
}

std::string Measurement::when() const {
  if (outcome_.steps > 0) return fmt::format("after {} step{}", outcome_.steps, outcome_.steps == 1 ? "" : "s");
  return connections_.empty() ? "before it connected" : "before its first step";
}

}  // namespace etalon::measure
