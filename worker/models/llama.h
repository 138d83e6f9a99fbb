// SPDX-License-Identifier: Apache-2.0
// Llama-like language models in the plain execution: ATen operators recorded by autograd, on any device and dtype.
#pragma once

#include <ATen/ATen.h>

#include <string_view>
#include <vector>

#include "worker/models/llama_config.h"
#include "worker/models/operations.h"

namespace etalon::models {

class Llama {
 public:
  /// For sequences of up to `longest` tokens. Parameters are allocated on `options`' device and dtype, not yet given
  /// values.
  Llama(const LlamaConfig& config, std::int64_t longest, const at::TensorOptions& options);

  /// [batch, context, vocabulary]; tokens_BT holds ids.
  at::Tensor logits(const at::Tensor& tokens_BT) const;
  /// Mean cross-entropy in nats over all positions.
  at::Tensor loss(const at::Tensor& tokens_BT, const at::Tensor& targets_BT) const;

  const LlamaConfig& config() const { return config_; }
  /// In state-dict order; a tied head is not listed twice.
  std::vector<NamedTensor>& parameters() { return parameters_; }

 private:
  struct Projection {
    at::Tensor weight;
    at::Tensor bias;  // undefined where the model has none
    at::Tensor operator()(const at::Tensor& x) const;
  };
  struct Layer {
    Projection query, key, value, output, gate, up, down;
    at::Tensor input_norm, mlp_norm;
  };

  at::Tensor parameter(std::string_view name) const;
  Layer layer(std::int64_t index) const;
  at::Tensor attention(const Layer& layer, const at::Tensor& x, const RotaryTables& rotary, std::int64_t batch) const;
  at::Tensor hidden_states(const at::Tensor& tokens_BT) const;

  LlamaConfig config_;
  std::vector<NamedTensor> parameters_;
  std::vector<Layer> layers_;
  at::Tensor embedding_, norm_, head_;
  RotaryTables rotary_;
};

}  // namespace etalon::models
