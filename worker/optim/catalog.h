// SPDX-License-Identifier: Apache-2.0
// The optimisers by the recipe's words.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "recipe/recipe.h"
#include "worker/optim/optimizer.h"

namespace etalon::optim {

/// `seed` draws the rounding where `stochastic` asks for one. Throws worker::Failure(unsupported) naming those there are.
std::unique_ptr<Optimizer> make_optimizer(const std::vector<at::Tensor>& parameters, const recipe::Optimizer& settings,
                                          bool stochastic, std::int64_t seed);

}  // namespace etalon::optim
