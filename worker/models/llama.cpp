// SPDX-License-Identifier: Apache-2.0
// Pre-norm residual blocks of causal grouped-query attention and SwiGLU. Activations are [tokens, width] except inside
// attention.
#include "worker/models/llama.h"

#include "worker/failure.h"

namespace etalon::models {

Llama::Llama(const LlamaConfig& config, std::int64_t longest, const at::TensorOptions& options)
    : config_(config), rotary_(rotary_tables(longest, config.head_width(), config.rope_theta, options)) {
  for (const NamedShape& named : parameter_shapes(config)) {
    parameters_.push_back({named.name, at::empty(named.shape, options).requires_grad_(true)});
  }
  for (std::int64_t index = 0; index < config.layers; ++index) {
    layers_.push_back(layer(index));
  }
  embedding_ = parameter("model.embed_tokens.weight");
  norm_ = parameter("model.norm.weight");
  head_ = config.tied_head ? embedding_ : parameter("lm_head.weight");
}

at::Tensor Llama::parameter(std::string_view name) const {
  for (const NamedTensor& named : parameters_) {
    if (named.name == name) {
      return named.tensor;
    }
  }
  throw worker::Failure("internal", "the model has no parameter " + std::string(name), "report this as a defect");
}

Llama::Layer Llama::layer(std::int64_t index) const {
  const std::string prefix = "model.layers." + std::to_string(index) + ".";
  const auto projection = [&](const std::string& name, bool bias) {
    return Projection{parameter(prefix + name + ".weight"), bias ? parameter(prefix + name + ".bias") : at::Tensor()};
  };
  return {.query = projection("self_attn.q_proj", config_.qkv_bias),
          .key = projection("self_attn.k_proj", config_.qkv_bias),
          .value = projection("self_attn.v_proj", config_.qkv_bias),
          .output = projection("self_attn.o_proj", false),
          .gate = projection("mlp.gate_proj", false),
          .up = projection("mlp.up_proj", false),
          .down = projection("mlp.down_proj", false),
          .input_norm = parameter(prefix + "input_layernorm.weight"),
          .mlp_norm = parameter(prefix + "post_attention_layernorm.weight")};
}

at::Tensor Llama::Projection::operator()(const at::Tensor& x) const { return at::linear(x, weight, bias); }

at::Tensor Llama::attention(const Layer& layer, const at::Tensor& x, const RotaryTables& rotary,
                            std::int64_t batch) const {
  const std::int64_t head_width = config_.head_width();
  const auto heads = [&](const at::Tensor& projected) {
    return projected.view({batch, -1, projected.size(1) / head_width, head_width});
  };
  const at::Tensor query = rotate(heads(layer.query(x)), rotary).transpose(1, 2);
  const at::Tensor key = rotate(heads(layer.key(x)), rotary).transpose(1, 2);
  const at::Tensor value = heads(layer.value(x)).transpose(1, 2);
  const bool grouped = config_.heads != config_.key_value_heads;
  const at::Tensor mixed =
      at::scaled_dot_product_attention(query, key, value, {}, 0.0, /*is_causal=*/true, {}, grouped);
  return layer.output(mixed.transpose(1, 2).reshape({x.size(0), config_.width}));
}

at::Tensor Llama::hidden_states(const at::Tensor& tokens_BT) const {
  const std::int64_t batch = tokens_BT.size(0);
  const std::int64_t context = tokens_BT.size(1);
  const RotaryTables rotary{rotary_.cosine.narrow(0, 0, context), rotary_.sine.narrow(0, 0, context)};
  at::Tensor hidden = at::embedding(embedding_, tokens_BT.reshape(-1));
  for (const Layer& layer : layers_) {
    hidden = hidden + attention(layer, rms_norm(hidden, layer.input_norm, config_.norm_epsilon), rotary, batch);
    const at::Tensor normal = rms_norm(hidden, layer.mlp_norm, config_.norm_epsilon);
    hidden = hidden + layer.down(swiglu(layer.gate(normal), layer.up(normal)));
  }
  return rms_norm(hidden, norm_, config_.norm_epsilon);
}

at::Tensor Llama::logits(const at::Tensor& tokens_BT) const {
  return at::linear(hidden_states(tokens_BT), head_).view({tokens_BT.size(0), tokens_BT.size(1), config_.vocabulary});
}

at::Tensor Llama::loss(const at::Tensor& tokens_BT, const at::Tensor& targets_BT) const {
  return at::cross_entropy_loss(at::linear(hidden_states(tokens_BT), head_), targets_BT.reshape(-1));
}

}  // namespace etalon::models
