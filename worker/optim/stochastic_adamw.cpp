// SPDX-License-Identifier: Apache-2.0
// A piece of a parameter at a time becomes float32, so that the wide copies stay small.
#include "worker/optim/stochastic_adamw.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <array>

#include "worker/data/counter_random.h"
#include "worker/failure.h"
#include "worker/optim/adamw.h"
#include "worker/optim/decay.h"
#include "worker/optim/stochastic_rounding.h"

namespace etalon::optim {
namespace {

constexpr std::int64_t piece = std::int64_t{1} << 24;  // elements

}  // namespace

StochasticAdamW::StochasticAdamW(const std::vector<at::Tensor>& parameters, const recipe::Optimizer& settings,
                                 std::int64_t seed)
    : settings_(settings) {
  require_adam(settings, /*adam_too=*/false);
  step_ = at::zeros({}, parameters.front().options().dtype(at::kFloat).requires_grad(false));
  for (const at::Tensor& parameter : parameters) {
    states_.push_back({.parameter = parameter,
                       .first_moment = at::zeros_like(parameter),
                       .second_moment = at::zeros_like(parameter),
                       .weight_decay = decay_of(parameter, settings),
                       .key = data::stream_key("rounding of parameter " + std::to_string(states_.size()), seed)});
  }
}

void StochasticAdamW::update(double learning_rate, const std::optional<at::Tensor>& overflow) {
  if (overflow) {
    throw worker::Failure("internal", "bfloat16 parameters are trained without a scaled loss", "report this");
  }
  const c10::NoGradGuard no_gradient;
  step_.add_(1);
  ++updates_;
  for (const State& state : states_) {
    for (std::int64_t begin = 0; begin < state.parameter.numel(); begin += piece) {
      update(state, begin, std::min(piece, state.parameter.numel() - begin), learning_rate);
    }
    state.parameter.mutable_grad().reset();
  }
}

void StochasticAdamW::update(const State& state, std::int64_t begin, std::int64_t count, double learning_rate) {
  const auto narrow = [&](const at::Tensor& tensor) { return tensor.view(-1).narrow(0, begin, count); };
  const std::array targets{narrow(state.parameter), narrow(state.first_moment), narrow(state.second_moment)};
  const std::array wide{targets[0].to(at::kFloat), targets[1].to(at::kFloat), targets[2].to(at::kFloat)};
  const at::Tensor gradient = state.parameter.grad().reshape(-1).narrow(0, begin, count).to(at::kFloat);
  at::_fused_adamw_({wide[0]}, {gradient}, {wide[1]}, {wide[2]}, {}, {step_}, learning_rate, settings_.betas[0],
                    settings_.betas[1], state.weight_decay, settings_.epsilon, /*amsgrad=*/false, /*maximize=*/false);
  for (std::size_t which = 0; which < targets.size(); ++which) {
    const std::uint64_t key = data::splitmix64(state.key + targets.size() * updates_ + which);
    targets[which].copy_(round_stochastically(wide[which], key, begin));
  }
}

base::Json StochasticAdamW::description() const {
  return {{"name", "adamw"},
          {"implementation", "at::_fused_adamw_ in float32, rounded stochastically to bfloat16"},
          {"decay_on", decay_rule}};
}

}  // namespace etalon::optim
