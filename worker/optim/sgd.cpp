// SPDX-License-Identifier: Apache-2.0
// The momentum buffers and the call into ATen.
#include "worker/optim/sgd.h"

#include <c10/core/GradMode.h>

#include "worker/failure.h"
#include "worker/optim/decay.h"
#include "worker/optim/gradients.h"

namespace etalon::optim {

Sgd::Sgd(const std::vector<at::Tensor>& parameters, const recipe::Optimizer& settings)
    : settings_(settings), groups_(2) {
  if (settings.name == "sgd-nesterov" && settings.momentum == 0) {
    throw worker::unsupported("optimiser \"sgd-nesterov\" without momentum is plain descent",
                              "give training.optimizer.momentum, or set training.optimizer.name to sgd");
  }
  groups_.front().weight_decay = settings.weight_decay;
  for (const at::Tensor& parameter : parameters) {
    Group& group = groups_[decays(parameter) ? 0 : 1];
    group.parameters.push_back(parameter);
    if (settings.momentum > 0) {
      group.buffers.push_back(at::zeros_like(parameter));
    }
  }
}

void Sgd::update(double learning_rate, const std::optional<at::Tensor>& overflow) {
  const c10::NoGradGuard no_gradient;
  for (const Group& group : groups_) {
    if (!group.parameters.empty()) {
      // A buffer of zeros gives on the first step what is_first_step would, also when that step overflowed.
      at::_fused_sgd_(group.parameters, gradients_of(group.parameters), group.buffers, group.weight_decay,
                      settings_.momentum, learning_rate, /*dampening=*/0, settings_.name == "sgd-nesterov",
                      /*maximize=*/false, /*is_first_step=*/false, /*grad_scale=*/{}, overflow);
      drop_gradients(group.parameters);
    }
  }
}

base::Json Sgd::description() const {
  return {{"name", settings_.name},
          {"implementation", "at::_fused_sgd_"},
          {"momentum", settings_.momentum},
          {"decay_on", decay_rule}};
}

}  // namespace etalon::optim
