// SPDX-License-Identifier: Apache-2.0
// How long a worker may be silent, in each stage of a launch. Moments are told to it, so that tests need not wait.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "measure/step_merger.h"
#include "recipe/recipe.h"

namespace etalon::measure {

struct Overdue {
  std::string what;
  std::string next_step;
};

class Deadlines {
 public:
  Deadlines(const recipe::Recipe& recipe, std::int64_t start_ns, double stop_grace_seconds)
      : recipe_(recipe), start_ns_(start_ns), stop_grace_seconds_(stop_grace_seconds) {}

  void add(const MergedStep& step);
  void add(const wire::Phase& phase) { phase_ = phase.name; }
  void stop_ordered(std::int64_t now_ns);

  /// `last_event_ns`: when the quietest rank was last heard of.
  std::optional<Overdue> passed(std::int64_t now_ns, std::int64_t last_event_ns) const;

 private:
  std::optional<Overdue> passed_before_first_step(std::int64_t now_ns) const;
  std::optional<Overdue> passed_in_training(std::int64_t now_ns, std::int64_t last_event_ns) const;
  std::optional<Overdue> passed_after_stop(std::int64_t now_ns, std::int64_t last_event_ns) const;
  double step_grace_seconds() const;

  const recipe::Recipe& recipe_;
  std::int64_t start_ns_;
  double stop_grace_seconds_;  ///< for the step in hand when the order to stop arrives, and for saying `done`
  bool stepped_ = false;
  std::optional<std::int64_t> stop_ns_;
  std::int64_t last_step_start_ns_ = 0;
  double step_seconds_ = 0;  ///< the longest of late
  std::string phase_;
};

}  // namespace etalon::measure
