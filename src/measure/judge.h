// SPDX-License-Identifier: Apache-2.0
// Decides when the measured window opens, moves and closes, and with which verdict. Knows no processes and no clock:
// steps and moments are told to it (docs/method.md describes the rules for readers of a dossier).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "measure/gates.h"
#include "measure/recording.h"
#include "measure/step_merger.h"
#include "recipe/recipe.h"

namespace etalon::measure {

struct Conclusion {
  Verdict verdict = Verdict::failed;
  std::string reason;
  std::string next_step = {};
};

/// The window opens with the first step that begins (where the one before ended) after warm-up. It closes when all gates are
/// open. With until = "training" it closes instead when total_steps and their evaluation are done and it has its length,
/// whatever the other gates say; with until = "target", when target.loss is found on held-out data, or the schedule is done without. At the latest it closes at cap_seconds. When it is
/// longer than two window_seconds and the drift gate is closed, its start moves forward to the last mark in its first half;
/// marks are set when it has measured 1, 2, 4, … times window_seconds.
class Judge {
 public:
  explicit Judge(const recipe::Recipe& recipe);

  void add(const MergedStep& step);
  /// The target is looked for in the held-out evaluations of rank 0.
  void add(const wire::Eval& eval, int rank = 0);

  /// Looks at the gates; a conclusion means that the worker may stop. `now_ns` matters for the cap alone.
  std::optional<Conclusion> look(std::int64_t now_ns);
  /// The worker ended by itself, in good order: the verdict on what there is.
  Conclusion conclude_early();

  /// As of the last look.
  const std::vector<GateState>& gates() const { return states_; }
  const Observation& observation() const { return observation_; }
  /// Complete steps of the window; fixed once concluded.
  std::optional<Window> window() const;
  std::int64_t steps() const { return steps_; }
  bool window_open() const { return !marks_.empty(); }
  bool training_complete() const;
  /// Steps done before the first evaluation that found the target's loss or less; empty until then.
  std::optional<std::int64_t> target_step() const { return target_step_; }
  /// How often the start of the window has been moved.
  int restarts() const { return restarts_; }

 private:
  struct Mark {
    explicit Mark(std::int64_t first) : first_step(first) {}
    std::int64_t first_step;
    statistics::BatchSeries series;
  };

  void observe();
  void place_mark();
  bool slide();
  bool all_open() const;
  bool has_its_length() const;
  bool is_open(std::string_view gate) const;
  Conclusion conclude(Verdict verdict, std::string reason);
  Conclusion conclude_as_found(const std::string& when);
  Verdict good_verdict() const;
  Verdict verdict_with_closed_gates() const;
  std::string what_was_found() const;
  std::string target_in_words() const;
  bool awaits_more_than_gates() const { return recipe_.measure.until != "window"; }
  bool goal_reached() const;

  const recipe::Recipe& recipe_;
  statistics::ThroughputSettings settings_;
  std::vector<std::unique_ptr<Gate>> gates_;
  std::vector<GateState> states_;
  Observation observation_;
  std::vector<Mark> marks_;  // the first is the window
  std::optional<std::int64_t> first_start_ns_;
  std::int64_t last_end_ns_ = 0;
  std::int64_t steps_ = 0;
  std::int64_t evaluated_steps_ = -1;  // most steps before an evaluation
  std::optional<std::int64_t> target_step_;
  std::optional<double> lowest_loss_;
  std::optional<Window> closed_;
  int restarts_ = 0;
};

}  // namespace etalon::measure
