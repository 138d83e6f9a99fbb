// SPDX-License-Identifier: Apache-2.0
// What happens between the last backward pass of an accumulation and the next step: unscale, clip, update, drop the
// gradients, adapt the scale. Only there, however many micro-batches came before.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "recipe/recipe.h"
#include "worker/optim/gradient_scaler.h"
#include "worker/optim/optimizer.h"
#include "worker/precision/precision.h"

namespace etalon::optim {

class StepBoundary {
 public:
  StepBoundary(std::vector<at::Tensor> parameters, const recipe::Training& training,
               const precision::Precision& precision);

  /// Backward pass of one micro-batch's mean loss; its share of the step is 1 / accumulation.
  void backward(const at::Tensor& loss) const;
  /// The update, at the schedule's rate for this step. A step that overflowed counts in the schedule too: whether it did
  /// is not known here without waiting for the device.
  void update();

  base::Json description() const { return optimizer_->description(); }
  /// What the scaler did, in words; waits for the device. Empty without one.
  std::optional<std::string> remark() const;
  const std::optional<GradientScaler>& scaler() const { return scaler_; }

 private:
  std::vector<at::Tensor> parameters_;
  recipe::Training training_;
  std::unique_ptr<Optimizer> optimizer_;
  std::optional<GradientScaler> scaler_;
  std::int64_t finished_steps_ = 0;
};

}  // namespace etalon::optim
