// SPDX-License-Identifier: Apache-2.0
// AdamW, and Adam with its decay inside the gradient, through ATen's fused updates: decay on tensors of two or more
// dimensions only.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "recipe/recipe.h"
#include "worker/optim/optimizer.h"

namespace etalon::optim {

/// Refuses another name, and another number of betas than two. Throws worker::Failure(unsupported).
void require_adam(const recipe::Optimizer& settings, bool adam_too);

/// settings.name is "adamw" or "adam".
class AdamW final : public Optimizer {
 public:
  AdamW(const std::vector<at::Tensor>& parameters, const recipe::Optimizer& settings);

  using Optimizer::update;
  void update(double learning_rate, const std::optional<at::Tensor>& overflow) override;
  base::Json description() const override;

 private:
  struct Group {
    double weight_decay = 0;
    std::vector<at::Tensor> parameters, first_moments, second_moments;
    std::vector<at::Tensor> steps;  // one shared counter, listed once per parameter
  };

  recipe::Optimizer settings_;
  std::vector<Group> groups_;
  at::Tensor step_;
};

}  // namespace etalon::optim
