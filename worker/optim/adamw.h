// SPDX-License-Identifier: Apache-2.0
// AdamW through ATen's fused update: decay on tensors of two or more dimensions only.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "recipe/recipe.h"

namespace etalon::optim {

class AdamW {
 public:
  AdamW(const std::vector<at::Tensor>& parameters, const recipe::Optimizer& settings);

  /// One update from the parameters' gradients, which are then dropped (the next backward makes new ones instead of
  /// adding).
  void update(double learning_rate);

 private:
  struct Group {
    double weight_decay = 0;
    std::vector<at::Tensor> parameters, first_moments, second_moments;
    std::vector<at::Tensor> steps;  // one shared counter, listed once per parameter
  };
  void update(Group& group, double learning_rate);

  recipe::Optimizer settings_;
  std::vector<Group> groups_;
  at::Tensor step_;
};

/// Multiplies all gradients by min(1, limit / (norm + 1e-6)), norm being that of all gradients together, and returns
/// that norm as a
/// scalar on the device. Nothing is waited for. `limit` 0 only measures.
at::Tensor clip_gradients(const std::vector<at::Tensor>& parameters, double limit);

}  // namespace etalon::optim
