// SPDX-License-Identifier: Apache-2.0
// AdamW for parameters that exist in bfloat16 alone: each update is computed in float32 and rounded by chance, the
// moments too. Eight bytes per parameter with its gradient.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "recipe/recipe.h"
#include "worker/optim/optimizer.h"

namespace etalon::optim {

class StochasticAdamW final : public Optimizer {
 public:
  StochasticAdamW(const std::vector<at::Tensor>& parameters, const recipe::Optimizer& settings, std::int64_t seed);

  using Optimizer::update;
  void update(double learning_rate, const std::optional<at::Tensor>& overflow) override;
  base::Json description() const override;

 private:
  struct State {
    at::Tensor parameter, first_moment, second_moment;
    double weight_decay = 0;
    std::uint64_t key = 0;
  };
  void update(const State& state, std::int64_t begin, std::int64_t count, double learning_rate);

  recipe::Optimizer settings_;
  std::vector<State> states_;
  at::Tensor step_;
  std::uint64_t updates_ = 0;
};

}  // namespace etalon::optim
