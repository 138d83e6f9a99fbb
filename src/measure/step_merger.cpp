// SPDX-License-Identifier: Apache-2.0
// Merging is a queue per rank; excluded time is the part of a step that evaluations cover.
#include "measure/step_merger.h"

#include <algorithm>

#include <fmt/format.h>

namespace etalon::measure {
namespace {

/// Ranks step together (they exchange gradients); one this far behind is not training with the others.
constexpr std::size_t most_steps_ahead = 10'000;

}  // namespace

void StepMerger::add(int rank, const wire::Step& step, const std::function<void(const MergedStep&)>& on_step) {
  std::deque<wire::Step>& own = waiting_.at(static_cast<std::size_t>(rank));
  own.push_back(step);
  if (own.size() > most_steps_ahead)
    throw wire::ProtocolError(fmt::format("rank {} is {} steps ahead of another rank", rank, own.size()));
  const auto has_step = [](const std::deque<wire::Step>& steps) { return !steps.empty(); };
  while (std::all_of(waiting_.begin(), waiting_.end(), has_step)) on_step(take_front());
}

MergedStep StepMerger::take_front() {
  const wire::Step& first = waiting_.front().front();
  MergedStep merged{first.index, first.start_ns, first.end_ns, 0, 0, last_end_ns_};
  for (std::deque<wire::Step>& steps : waiting_) {
    merged.start_ns = std::min(merged.start_ns, steps.front().start_ns);
    merged.end_ns = std::max(merged.end_ns, steps.front().end_ns);
    merged.units += steps.front().units;
    steps.pop_front();
  }
  const std::int64_t from_ns = last_end_ns_ < 0 ? merged.start_ns : last_end_ns_;
  if (last_end_ns_ < 0) merged.previous_end_ns = from_ns;
  merged.duration_ns = merged.end_ns - from_ns - excluded_ns(from_ns, merged.end_ns);
  last_end_ns_ = merged.end_ns;
  return merged;
}

void StepMerger::add(const wire::Eval& eval) {
  const Interval interval{eval.start_ns, eval.end_ns};
  const auto later = [](const Interval& left, const Interval& right) { return left.start_ns < right.start_ns; };
  evaluations_.insert(std::upper_bound(evaluations_.begin(), evaluations_.end(), interval, later), interval);
}

std::int64_t StepMerger::excluded_ns(std::int64_t from_ns, std::int64_t to_ns) {
  std::int64_t covered_ns = 0;
  std::int64_t covered_until_ns = from_ns;
  for (const Interval& evaluation : evaluations_) {
    const std::int64_t start_ns = std::max(evaluation.start_ns, covered_until_ns);
    const std::int64_t end_ns = std::min(evaluation.end_ns, to_ns);
    if (end_ns <= start_ns) continue;
    covered_ns += end_ns - start_ns;
    covered_until_ns = end_ns;
  }
  std::erase_if(evaluations_, [to_ns](const Interval& evaluation) { return evaluation.end_ns <= to_ns; });
  return covered_ns;
}

}  // namespace etalon::measure
