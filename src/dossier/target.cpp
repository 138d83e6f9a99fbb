// SPDX-License-Identifier: Apache-2.0
#include "dossier/target.h"

#include "dossier/window.h"

namespace etalon::dossier {

TargetOutcome target_outcome(const std::filesystem::path& launch_folder, const LaunchEvents& events,
                             double target_loss) {
  TargetOutcome outcome;
  for (const EvalRecord& eval : events.evals) {
    if (eval.rank != 0 || eval.name != "held-out") continue;
    outcome.evaluation_ns += eval.end_ns - eval.start_ns;
    if (!outcome.lowest || eval.loss < outcome.lowest->loss) outcome.lowest = eval;
    if (eval.loss <= target_loss) {
      outcome.reached_by = eval;
      break;
    }
    outcome.last_miss = eval;
  }
  if (!outcome.reached_by || outcome.reached_by->step == 0) return outcome;
  const WindowSeries series = read_window(launch_folder, {0, outcome.reached_by->step - 1}, events);
  for (const statistics::StepSample& step : series.steps) {
    outcome.training_ns += step.duration_ns;
    outcome.units += step.units;
  }
  return outcome;
}

}  // namespace etalon::dossier
