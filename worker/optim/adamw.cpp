// SPDX-License-Identifier: Apache-2.0
// The optimiser's state and its two calls into ATen.
#include "worker/optim/adamw.h"

#include <c10/core/GradMode.h>

#include "worker/failure.h"

namespace etalon::optim {
namespace {

std::vector<at::Tensor> gradients_of(const std::vector<at::Tensor>& parameters) {
  std::vector<at::Tensor> gradients;
  gradients.reserve(parameters.size());
  for (const at::Tensor& parameter : parameters) {
    gradients.push_back(parameter.grad());
  }
  return gradients;
}

}  // namespace

AdamW::AdamW(const std::vector<at::Tensor>& parameters, const recipe::Optimizer& settings)
    : settings_(settings), groups_(2) {
  if (settings.name != "adamw" || settings.betas.size() != 2) {
    throw worker::unsupported(
        "optimiser \"" + settings.name + "\" with " + std::to_string(settings.betas.size()) + " betas is unknown",
        "set training.optimizer.name to adamw, with two betas");
  }
  groups_.front().weight_decay = settings.weight_decay;
  step_ = at::zeros({}, parameters.front().options().dtype(at::kFloat).requires_grad(false));
  for (const at::Tensor& parameter : parameters) {
    Group& group = groups_[parameter.dim() >= 2 ? 0 : 1];
    group.parameters.push_back(parameter);
    group.first_moments.push_back(at::zeros_like(parameter));
    group.second_moments.push_back(at::zeros_like(parameter));
    group.steps.push_back(step_);
  }
}

void AdamW::update(double learning_rate) {
  const c10::NoGradGuard no_gradient;
  step_.add_(1);
  for (Group& group : groups_) {
    if (!group.parameters.empty()) {
      update(group, learning_rate);
    }
  }
}

void AdamW::update(Group& group, double learning_rate) {
  const std::vector<at::Tensor> gradients = gradients_of(group.parameters);
  at::_fused_adamw_(group.parameters, gradients, group.first_moments, group.second_moments, {}, group.steps,
                    learning_rate, settings_.betas[0], settings_.betas[1], group.weight_decay, settings_.epsilon,
                    /*amsgrad=*/false,
                    /*maximize=*/false);
  for (const at::Tensor& parameter : group.parameters) {
    parameter.mutable_grad().reset();
  }
}

at::Tensor clip_gradients(const std::vector<at::Tensor>& parameters, double limit) {
  const c10::NoGradGuard no_gradient;
  const std::vector<at::Tensor> gradients = gradients_of(parameters);
  const at::Tensor norm = at::linalg_vector_norm(at::stack(at::_foreach_norm(gradients)));
  if (limit > 0) {
    at::_foreach_mul_(gradients, at::clamp_max(limit / (norm + 1e-6), 1.0));
  }
  return norm;
}

}  // namespace etalon::optim
