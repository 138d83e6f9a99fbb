// SPDX-License-Identifier: Apache-2.0
// First values of parameters, as pure functions of name, seed and position: the same on every device.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "worker/models/named_tensor.h"

namespace etalon::models {

/// Values for comparing implementations: uniform, scaled by sqrt(3 / fan-in); norms 1 + 0.1 u, biases 0.1 u, computed
/// in
/// double and rounded to float32 whatever the type of the tensor.
void fill(const NamedTensor& parameter);

/// Normal with this deviation for matrices, 1 for norms, 0 for biases.
void initialise_normal(const NamedTensor& parameter, std::int64_t seed, double deviation);

/// Uniform in ±1 / sqrt(fan-in): what PEFT gives the inner matrix of an adapter.
void initialise_uniform(const NamedTensor& parameter, std::int64_t seed);

void initialise_zero(const NamedTensor& parameter);

/// "normal": 0.02, and 0.02 / sqrt(2 · layers) for what adds to the residual stream (o_proj, down_proj); or "fill".
void initialise(const NamedTensor& parameter, std::string_view method, std::int64_t seed, std::int64_t layers);
void initialise(const std::vector<NamedTensor>& parameters, std::string_view method, std::int64_t seed,
                std::int64_t layers);

}  // namespace etalon::models
