// SPDX-License-Identifier: Apache-2.0
// The learning rate of each update, with transformers' conventions.
#pragma once

#include <cstdint>

#include "recipe/recipe.h"

namespace etalon::optim {

/// `finished_steps` updates were made before. Warm-up rises linearly from 0 (the very first update has rate 0) to
/// `base` after
/// warmup_steps, then follows a half cosine (or stays constant) to final_fraction · base at total_steps, and stays
/// there.
double learning_rate(const recipe::Schedule& schedule, double base, std::int64_t finished_steps);

}  // namespace etalon::optim
