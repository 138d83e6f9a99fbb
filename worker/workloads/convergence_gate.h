// SPDX-License-Identifier: Apache-2.0
// Does a narrow number format still train? Before the measurement, a sibling of the model with a few layers is trained for
// a few steps in that format and in bf16-autocast on the same data, and the two are compared. A format that fails may be
// fast, but its throughput is not comparable.
#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <optional>

#include "base/json.h"
#include "recipe/recipe.h"
#include "worker/data/batches.h"
#include "worker/models/llama_config.h"

namespace etalon::workloads {

struct ConvergenceGate {
  double gradient_cosine = 0;  ///< of the first step's gradients of all trained parameters together
  double loss_difference = 0;  ///< the largest of all steps, relative
  bool passed() const;
  base::Json description(std::int64_t layers) const;
};

/// The batch of this number, as often as it is asked for.
using GateBatch = std::function<data::Batch(std::int64_t number)>;

/// The layers of the sibling of a model with so many.
std::int64_t gate_layers(const models::LlamaConfig& config);

/// Trains both siblings, from random weights. Empty when the recipe's precision is no narrower than bf16-autocast.
std::optional<ConvergenceGate> check_convergence(const recipe::Recipe& recipe, const models::LlamaConfig& config,
                                                 const at::Device& device, const GateBatch& batch);

}  // namespace etalon::workloads
