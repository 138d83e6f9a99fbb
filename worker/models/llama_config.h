// SPDX-License-Identifier: Apache-2.0
// The shapes of Llama-like language models (Llama, TinyLlama, Qwen2), and what follows from the shapes alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "worker/models/named_shape.h"

namespace etalon::models {

struct LlamaConfig {
  std::string name;
  std::int64_t layers = 0;
  std::int64_t width = 0;  ///< hidden_size
  std::int64_t heads = 0;
  std::int64_t key_value_heads = 0;
  std::int64_t mlp_width = 0;  ///< intermediate_size
  std::int64_t vocabulary = 0;
  std::int64_t longest_context = 0;
  double norm_epsilon = 1e-5;
  double rope_theta = 1e4;
  bool tied_head = false;  ///< the output head is the embedding
  bool qkv_bias = false;

  std::int64_t head_width() const { return width / heads; }
};

/// The catalogue: one line per model.
std::span<const LlamaConfig> llama_configs();

/// Throws worker::Failure naming the models there are.
const LlamaConfig& find_llama_config(std::string_view name);

/// Unique parameters in state-dict order, under transformers' names.
std::vector<NamedShape> parameter_shapes(const LlamaConfig& config);
std::int64_t parameter_count(const LlamaConfig& config);

/// Multiply-accumulates of the forward pass per token: linear layers with the output head, and the two attention
/// products of causal attention over sequences of `context` tokens (context · (context + 1) / 2 scores). Nothing else is
/// counted.
struct MultiplyAccumulates {
  double linear = 0;
  double attention = 0;
  double adapters = 0;  ///< the two small products beside each adapted linear layer
  /// Forward and backward when all is trained: three times the forward pass, two operations each.
  double training_flops() const { return 6.0 * (linear + attention + adapters); }
  /// The same when the linear layers are frozen: their weights get no gradient, which saves a third of their part.
  double frozen_training_flops() const { return 4.0 * linear + 6.0 * (attention + adapters); }
};
MultiplyAccumulates multiply_accumulates_per_token(const LlamaConfig& config, std::int64_t context);

}  // namespace etalon::models
