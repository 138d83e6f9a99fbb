// SPDX-License-Identifier: Apache-2.0
// Which parameters decay: those of two or more dimensions, as language models are trained; norms and biases do not.
#pragma once

#include <ATen/ATen.h>

#include "recipe/recipe.h"

namespace etalon::optim {

inline constexpr const char* decay_rule = "tensors of two or more dimensions";

inline bool decays(const at::Tensor& parameter) { return parameter.dim() >= 2; }

inline double decay_of(const at::Tensor& parameter, const recipe::Optimizer& settings) {
  return decays(parameter) ? settings.weight_decay : 0;
}

}  // namespace etalon::optim
