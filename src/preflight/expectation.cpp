// SPDX-License-Identifier: Apache-2.0
// What a run will cost at most, told before it starts. Assumptions, each on the large side:
// - a row of steps.csv is at most 124 bytes (seven integers of up to 19 digits and a loss would be 160, but indices, units and
//   durations stay far shorter), and no worker does more than 2,000 steps a second;
// - a row of telemetry.csv has at most 256 cells of 12 bytes;
// - everything else of a launch (events, captured output) stays below 24 MB; recipe, environment and reports below 8 MB.
#include <algorithm>

#include "preflight/preflight.h"

namespace etalon::preflight {

namespace {

constexpr double step_row_bytes = 124;
constexpr double most_steps_per_second = 2000;
constexpr double telemetry_row_bytes = 256 * 12;
constexpr double launch_bytes = 24e6;
constexpr double dossier_bytes = 8e6;

}  // namespace

Expectation expect(const recipe::Recipe& recipe) {
  const recipe::Measure& measure = recipe.measure;
  const auto launches = static_cast<double>(measure.launches);
  const double longest_launch = recipe.launch.startup_deadline_seconds + measure.cap_seconds;
  const double steps =
      std::min(static_cast<double>(recipe.training.schedule.total_steps), measure.cap_seconds * most_steps_per_second);
  const double telemetry_rows = longest_launch / measure.telemetry_interval_seconds + 1;
  return {launches * (measure.warmup_seconds + measure.window_seconds), launches * longest_launch,
          dossier_bytes + launches * (launch_bytes + steps * step_row_bytes + telemetry_rows * telemetry_row_bytes)};
}

}  // namespace etalon::preflight
