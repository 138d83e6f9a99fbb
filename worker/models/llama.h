// SPDX-License-Identifier: Apache-2.0
// Llama-like language models in the plain execution: ATen operators recorded by autograd, on any device and dtype.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "worker/models/llama_config.h"
#include "worker/models/operations.h"
#include "worker/models/parameter_set.h"
#include "worker/models/recompute.h"

namespace etalon::models {

class Llama {
 public:
  /// For sequences of up to `longest` tokens. `set` gives every parameter; it is used here and not kept.
  Llama(const LlamaConfig& config, std::int64_t longest, const at::TensorOptions& options, ParameterSet& set,
        const Checkpointing& checkpointing);
  /// All parameters trained, allocated on `options`' device and dtype, not yet given values; nothing is recomputed.
  Llama(const LlamaConfig& config, std::int64_t longest, const at::TensorOptions& options);

  /// [batch, context, vocabulary]; tokens_BT holds ids.
  at::Tensor logits(const at::Tensor& tokens_BT) const;
  /// Mean cross-entropy in nats over all positions. The model must outlive the loss's backward pass.
  at::Tensor loss(const at::Tensor& tokens_BT, const at::Tensor& targets_BT) const;

  const LlamaConfig& config() const { return config_; }
  /// Those that are trained, in state-dict order; a tied head is not listed twice.
  std::vector<NamedTensor>& parameters() { return parameters_; }

 private:
  struct Layer {
    LinearPtr query, key, value, output, gate, up, down;
    at::Tensor input_norm, mlp_norm;
    std::vector<at::Tensor> trained_of_mlp;  // its norm included
    std::vector<at::Tensor> trained;         // of the whole layer
  };

  Layer make_layer(std::int64_t index, ParameterSet& set) const;
  at::Tensor norm(const at::Tensor& x, const at::Tensor& weight) const;
  at::Tensor attention(const Layer& layer, const at::Tensor& normal, const RotaryTables& rotary,
                       std::int64_t batch) const;
  at::Tensor mlp(const Layer& layer, const at::Tensor& x) const;
  at::Tensor layer_output(const Layer& layer, const at::Tensor& x, const RotaryTables& rotary,
                          std::int64_t batch) const;
  at::Tensor hidden_states(const at::Tensor& tokens_BT) const;

  LlamaConfig config_;
  Checkpointing checkpointing_;
  at::Tensor embedding_;
  std::vector<Layer> layers_;
  at::Tensor norm_, head_;
  RotaryTables rotary_;
  std::vector<NamedTensor> parameters_;
};

}  // namespace etalon::models
