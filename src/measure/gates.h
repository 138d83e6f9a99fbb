// SPDX-License-Identifier: Apache-2.0
// The gates a window must pass before its number counts. Each looks at the same bounded summary about once a second.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "measure/recording.h"
#include "recipe/recipe.h"
#include "statistics/online.h"

namespace etalon::measure {

/// What is known at one moment. A gate that needs more (temperatures) gets it here.
struct Observation {
  double training_seconds = 0;                       ///< from the first step's start to the last step's end
  double window_seconds = 0;                         ///< time in the window, evaluations taken out; 0 before it opens
  std::optional<statistics::Throughput> throughput;  ///< of the window
  std::optional<double> drift;                       ///< of the window's halves
};

class Gate {
 public:
  virtual ~Gate() = default;
  virtual GateState look(const Observation& observation) const = 0;
};

/// The gates that `measure` asks for: warm-up and window always, precision and drift unless the profile waives them (smoke).
std::vector<std::unique_ptr<Gate>> make_gates(const recipe::Measure& measure);

}  // namespace etalon::measure
