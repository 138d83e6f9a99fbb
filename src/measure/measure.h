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

/// A sensor's latest value, for people.
struct Reading {
  std::string label;  ///< "CPU power"
  double value = 0;
  std::string unit;  ///< "percent", "bytes", "celsius", "watts"
};

/// What somebody watching may want to know; called a few times a second at most.
struct Progress {
  std::string phase;  ///< "starting", "warming up", "measuring", "training on", "evaluating", "ending"
  double elapsed_seconds = 0;
  std::int64_t steps = 0;
  std::int64_t total_steps = 0;  ///< of the whole training
  std::optional<double> loss;
  std::optional<double> units_per_second;  ///< over the window, or the last seconds before it
  std::optional<double> relative_half_width;
  std::optional<double> remaining_seconds;
  std::string unit;
  std::vector<GateState> gates;
  std::vector<Reading> readings;
};

/// How long a worker gets, in seconds, before its tree is ended. Tests shorten these.
struct Graces {
  double stop = 10;  ///< from the order to stop to the end of the step in hand (or three steps, when those take longer)
  double exit = 10;  ///< from `done` to the end of the process
  double interrupt = 5;  ///< from the user's interrupt to the end
  double failure = 5;    ///< from the worker's `error` to the end of the process
  double lost = 2;       ///< from the end of the connection to the end of the process
};

struct Session {
  const recipe::Recipe& recipe;
  wire::Listener& listener;
  launch::Command command;
  Recorder& recorder;
  std::vector<std::unique_ptr<Source>> sources;   ///< what telemetry samples; their channels were given to the recorder
  int interrupt_descriptor = -1;                  ///< readable when the user wants to stop (base/signals)
  std::function<void(const Progress&)> progress;  ///< may be empty
  Graces graces = {};
};

/// Runs the launch to its end; every way it can go wrong is a LaunchOutcome, only a full disk and bugs throw.
LaunchOutcome measure(Session& session);

}  // namespace etalon::measure
