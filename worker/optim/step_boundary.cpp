// SPDX-License-Identifier: Apache-2.0
// The order of things at the end of a step.
#include "worker/optim/step_boundary.h"

#include <utility>

#include "base/number.h"
#include "worker/optim/catalog.h"
#include "worker/optim/gradients.h"
#include "worker/optim/schedule.h"

namespace etalon::optim {

StepBoundary::StepBoundary(std::vector<at::Tensor> parameters, const recipe::Training& training,
                           const precision::Precision& precision)
    : parameters_(std::move(parameters)), training_(training) {
  learning_rate(training.schedule, 1, 0);  // an unknown schedule is refused before the first step
  optimizer_ = make_optimizer(parameters_, training.optimizer, precision.format().rounds_stochastically, training.seed);
  if (precision.format().scales_loss) {
    scaler_.emplace(parameters_.front().device());
  }
}

void StepBoundary::backward(const at::Tensor& loss) const {
  const at::Tensor share = training_.accumulation == 1 ? loss : loss / static_cast<double>(training_.accumulation);
  (scaler_ ? scaler_->scaled(share) : share).backward();
}

void StepBoundary::update() {
  std::optional<at::Tensor> overflow;
  if (scaler_) {
    overflow = scaler_->unscale(parameters_);
  }
  if (training_.optimizer.clip > 0) {
    clip_gradients(parameters_, training_.optimizer.clip);
  }
  optimizer_->update(learning_rate(training_.schedule, training_.optimizer.learning_rate, finished_steps_), overflow);
  if (scaler_) {
    scaler_->adapt(*overflow);
  }
  ++finished_steps_;
}

std::optional<std::string> StepBoundary::remark() const {
  if (!scaler_) {
    return std::nullopt;
  }
  return std::to_string(scaler_->skipped_steps()) + " of " + std::to_string(finished_steps_) +
         " optimiser steps were skipped because a gradient overflowed float16; the loss scale is now " +
         base::to_text(scaler_->scale());
}

}  // namespace etalon::optim
