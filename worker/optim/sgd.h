// SPDX-License-Identifier: Apache-2.0
// Stochastic gradient descent with momentum, plain or Nesterov's, through ATen's fused update: decay on tensors of two or
// more dimensions only.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "recipe/recipe.h"
#include "worker/optim/optimizer.h"

namespace etalon::optim {

/// settings.name is "sgd" or "sgd-nesterov".
class Sgd final : public Optimizer {
 public:
  Sgd(const std::vector<at::Tensor>& parameters, const recipe::Optimizer& settings);

  using Optimizer::update;
  void update(double learning_rate, const std::optional<at::Tensor>& overflow) override;
  base::Json description() const override;

 private:
  struct Group {
    double weight_decay = 0;
    std::vector<at::Tensor> parameters;
    std::vector<at::Tensor> buffers;  // none without momentum
  };

  recipe::Optimizer settings_;
  std::vector<Group> groups_;
};

}  // namespace etalon::optim
