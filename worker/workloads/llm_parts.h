// SPDX-License-Identifier: Apache-2.0
// What both executions of a language model take from the recipe in the same way, and say of it in the same words.
#pragma once

#include <memory>

#include "base/json.h"
#include "recipe/recipe.h"
#include "worker/data/token_source.h"
#include "worker/models/llama_config.h"

namespace etalon::workloads {

/// The recipe's text as this model's tokens. Throws worker::Failure for what is not served.
std::unique_ptr<data::TokenSource> make_source(const recipe::Recipe& recipe, const models::LlamaConfig& config);

/// Tokens of one optimiser step.
std::int64_t tokens_per_step(const recipe::Recipe& recipe);

base::Json describe(const recipe::Schedule& schedule);
/// Of one evaluation.
base::Json describe_evaluation(const recipe::Recipe& recipe);

}  // namespace etalon::workloads
