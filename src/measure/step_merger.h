// SPDX-License-Identifier: Apache-2.0
// The steps of all ranks merged into those of the whole training: a step ends when its last rank ends it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "wire/event.h"

namespace etalon::measure {

struct MergedStep {
  std::int64_t index = 0;
  std::int64_t start_ns = 0;  ///< of the first rank
  std::int64_t end_ns = 0;    ///< of the last rank
  std::int64_t units = 0;     ///< of all ranks
  std::int64_t duration_ns =
      0;  ///< since the end of the step before (the first: since its own start), evaluations taken out
  std::int64_t previous_end_ns = 0;
};

class StepMerger {
 public:
  explicit StepMerger(int world_size) : waiting_(static_cast<std::size_t>(world_size)) {}

  /// Calls `on_step` when `step` completes one of all ranks. Throws wire::ProtocolError when another rank lags hopelessly.
  void add(int rank, const wire::Step& step, const std::function<void(const MergedStep&)>& on_step);
  /// The time of an evaluation is nobody's step; overlapping ones of several ranks count once.
  void add(const wire::Eval& eval);

 private:
  MergedStep take_front();
  std::int64_t excluded_ns(std::int64_t from_ns, std::int64_t to_ns);

  struct Interval {
    std::int64_t start_ns;
    std::int64_t end_ns;
  };
  std::vector<std::deque<wire::Step>> waiting_;  // of each rank, steps that not all ranks have finished
  std::vector<Interval> evaluations_;            // not yet passed, by start
  std::int64_t last_end_ns_ = -1;
};

}  // namespace etalon::measure
