// SPDX-License-Identifier: Apache-2.0
// One launch from its first event to its last: receives, samples, asks the gates, stops the worker, says how it went.
#pragma once

#include <atomic>
#include <functional>

#include "launch/job.h"
#include "measure/recording.h"
#include "measure/source.h"
#include "recipe/recipe.h"
#include "wire/socket.h"

namespace etalon::measure {

/// What somebody watching may want to know; called a few times a second at most.
struct Progress {
  std::string phase;                     ///< "starting", "warming up", "measuring", "training on", "evaluating", "ending"
  double elapsed_seconds = 0;
  std::int64_t steps = 0;
  std::optional<double> loss;
  std::optional<double> units_per_second;         ///< over the window, or the last seconds before it
  std::optional<double> relative_half_width;
  std::optional<double> remaining_seconds;
  std::string unit;
  std::vector<GateState> gates;
};

struct Session {
  const recipe::Recipe& recipe;
  wire::Listener& listener;
  launch::Command command;
  Recorder& recorder;
  std::vector<std::unique_ptr<Source>> sources;    ///< what telemetry samples; their channels were given to the recorder
  int interrupt_descriptor = -1;                   ///< readable when the user wants to stop (base/signals)
  std::function<void(const Progress&)> progress;   ///< may be empty
};

/// Runs the launch to its end; every way it can go wrong is a LaunchOutcome, only a full disk and bugs throw.
LaunchOutcome measure(Session& session);

}  // namespace etalon::measure
