// SPDX-License-Identifier: Apache-2.0
// Cosine and constant schedules.
#include "worker/optim/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "worker/failure.h"

namespace etalon::optim {

double learning_rate(const recipe::Schedule& schedule, double base, std::int64_t finished_steps) {
  if (schedule.name != "cosine" && schedule.name != "constant") {
    throw worker::unsupported("schedule \"" + schedule.name + "\" is unknown",
                              "set training.schedule.name to cosine or constant");
  }
  if (finished_steps < schedule.warmup_steps) {
    return base * static_cast<double>(finished_steps) / static_cast<double>(schedule.warmup_steps);
  }
  if (schedule.name == "constant") {
    return base;
  }
  const auto past = static_cast<double>(finished_steps - schedule.warmup_steps);
  const auto length = static_cast<double>(std::max<std::int64_t>(1, schedule.total_steps - schedule.warmup_steps));
  const double wave = 0.5 * (1 + std::cos(std::numbers::pi * std::min(1.0, past / length)));
  return base * (schedule.final_fraction + (1 - schedule.final_fraction) * wave);
}

}  // namespace etalon::optim
