// SPDX-License-Identifier: Apache-2.0
// The training loop: steps, evaluations and events until the controller says stop. Knows no model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wire/client.h"
#include "worker/events/step_clock.h"
#include "worker/workloads/workload.h"

namespace etalon::worker {

struct TrainPlan {
  std::int64_t total_steps = 0;  ///< an evaluation is always due here; training goes on at the schedule's end value
  std::int64_t evaluate_every_steps = 0;  ///< 0 = only at total_steps
  std::int64_t units_per_step = 0;
  bool evaluates = false;
  std::optional<std::int64_t> last_step;  ///< finish by itself after so many steps
  std::optional<int> device_index;        ///< of the GPU whose memory is reported
};

struct TrainOutcome {
  std::int64_t steps = 0;
  std::string reason;  ///< "stopped", "finished", or empty when the controller is gone
};

TrainOutcome train(workloads::Workload& workload, events::StepClock& clock, wire::Client& client,
                   const TrainPlan& plan);

}  // namespace etalon::worker
