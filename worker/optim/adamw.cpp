// SPDX-License-Identifier: Apache-2.0
// The optimiser's state and its call into ATen.
#include "worker/optim/adamw.h"

#include <c10/core/GradMode.h>

#include "worker/failure.h"
#include "worker/optim/decay.h"
#include "worker/optim/gradients.h"

namespace etalon::optim {

void require_adam(const recipe::Optimizer& settings, bool adam_too) {
  const bool known = settings.name == "adamw" || (adam_too && settings.name == "adam");
  if (!known || settings.betas.size() != 2) {
    throw worker::unsupported("optimiser \"" + settings.name + "\" with " + std::to_string(settings.betas.size()) +
                                  " betas is unknown, or not served with this precision",
                              "set training.optimizer.name to adamw, with two betas");
  }
}

AdamW::AdamW(const std::vector<at::Tensor>& parameters, const recipe::Optimizer& settings)
    : settings_(settings), groups_(2) {
  require_adam(settings, /*adam_too=*/true);
  groups_.front().weight_decay = settings.weight_decay;
  step_ = at::zeros({}, parameters.front().options().dtype(at::kFloat).requires_grad(false));
  for (const at::Tensor& parameter : parameters) {
    Group& group = groups_[decays(parameter) ? 0 : 1];
    group.parameters.push_back(parameter);
    group.first_moments.push_back(at::zeros_like(parameter));
    group.second_moments.push_back(at::zeros_like(parameter));
    group.steps.push_back(step_);
  }
}

void AdamW::update(double learning_rate, const std::optional<at::Tensor>& overflow) {
  const c10::NoGradGuard no_gradient;
  step_.add_(1);
  for (const Group& group : groups_) {
    if (group.parameters.empty()) {
      continue;
    }
    const auto apply = [&](const auto& fused) {
      fused(group.parameters, gradients_of(group.parameters), group.first_moments, group.second_moments,
            std::vector<at::Tensor>(), group.steps, learning_rate, settings_.betas[0], settings_.betas[1],
            group.weight_decay, settings_.epsilon, /*amsgrad=*/false, /*maximize=*/false,
            /*grad_scale=*/std::optional<at::Tensor>(), overflow);
    };
    if (settings_.name == "adamw") {
      apply([](const auto&... arguments) { at::_fused_adamw_(arguments...); });
    } else {
      apply([](const auto&... arguments) { at::_fused_adam_(arguments...); });
    }
    drop_gradients(group.parameters);
  }
  if (overflow) {
    step_.sub_(*overflow);
  }
}

base::Json AdamW::description() const {
  return {{"name", settings_.name}, {"implementation", "at::_fused_" + settings_.name + "_"}, {"decay_on", decay_rule}};
}

}  // namespace etalon::optim
