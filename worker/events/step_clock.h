// SPDX-License-Identifier: Apache-2.0
// When each optimiser step began and ended, in CLOCK_MONOTONIC, without ever making the device wait.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace etalon::events {

struct TimedStep {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::optional<std::int64_t> gpu_ns;
  double loss = 0;
};

class StepClock {
 public:
  virtual ~StepClock() = default;
  virtual void begin() = 0;
  /// The step is enqueued; `loss` is its mean loss, a scalar on the device.
  virtual void end(const at::Tensor& loss) = 0;
  /// Steps that are over, in order, each returned once.
  virtual std::vector<TimedStep> finished() = 0;
  /// Waits for every step begun and returns the rest; ties the device's time to the host's anew. Outside the timed loop
  /// only.
  virtual std::vector<TimedStep> settle() = 0;
  /// How well the device's time is tied to the host's; 0 where they are the same.
  virtual std::int64_t uncertainty_ns() const = 0;
};

/// On the CPU the clock is read directly. On a GPU two events stand around each step and are read when they have
/// passed, steps later.
std::unique_ptr<StepClock> make_step_clock(const at::Device& device);

}  // namespace etalon::events
