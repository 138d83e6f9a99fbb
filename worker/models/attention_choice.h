// SPDX-License-Identifier: Apache-2.0
// Which attention kernel runs: what the recipe allows, and what ATen then really picks. A silently different kernel
// makes a
// number wrong, so the pick is asked for and recorded.
#pragma once

#include <ATen/ATen.h>

#include <string>

#include "base/json.h"
#include "worker/models/llama_config.h"

namespace etalon::models {

struct AttentionChoice {
  std::string allowed;  ///< "auto" or "math"
};

/// Sets the process's switches; throws worker::Failure for a choice that this version does not serve.
AttentionChoice choose_attention(const std::string& wanted);

/// {"allowed": …, "backend": "flash" | "efficient" | "cudnn" | "math"} for the shapes and dtype of training.
base::Json describe_attention(const AttentionChoice& choice, const LlamaConfig& config, std::int64_t batch,
                              std::int64_t context, const at::Device& device, at::ScalarType dtype);

}  // namespace etalon::models
