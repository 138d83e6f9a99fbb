// SPDX-License-Identifier: Apache-2.0
// The gradients of all parameters together.
#pragma once

#include <ATen/ATen.h>

#include <vector>

namespace etalon::optim {

std::vector<at::Tensor> gradients_of(const std::vector<at::Tensor>& parameters);

void drop_gradients(const std::vector<at::Tensor>& parameters);

/// Multiplies all gradients by min(1, limit / (norm + 1e-6)), norm being that of all gradients together, and returns
/// that norm as a scalar on the device. Nothing is waited for. `limit` 0 only measures.
at::Tensor clip_gradients(const std::vector<at::Tensor>& parameters, double limit);

}  // namespace etalon::optim
