// SPDX-License-Identifier: Apache-2.0
// Lists of gradients for ATen's multi-tensor calls.
#include "worker/optim/gradients.h"

#include <c10/core/GradMode.h>

#include <optional>

namespace etalon::optim {

std::vector<at::Tensor> gradients_of(const std::vector<at::Tensor>& parameters) {
  std::vector<at::Tensor> gradients;
  gradients.reserve(parameters.size());
  for (const at::Tensor& parameter : parameters) {
    gradients.push_back(parameter.grad());
  }
  return gradients;
}

void drop_gradients(const std::vector<at::Tensor>& parameters) {
  for (const at::Tensor& parameter : parameters) {
    parameter.mutable_grad().reset();
  }
}

at::Tensor clip_gradients(const std::vector<at::Tensor>& parameters, double limit) {
  const c10::NoGradGuard no_gradient;
  const std::vector<at::Tensor> gradients = gradients_of(parameters);
  const bool narrow = at::isReducedFloatingType(gradients.front().scalar_type());
  const auto type = narrow ? std::optional(at::kFloat) : std::nullopt;
  const at::Tensor norm = at::linalg_vector_norm(at::stack(at::_foreach_norm(gradients, 2, type)));
  if (limit > 0) {
    at::_foreach_mul_(gradients, at::clamp_max(limit / (norm + 1e-6), 1.0));
  }
  return norm;
}

}  // namespace etalon::optim
