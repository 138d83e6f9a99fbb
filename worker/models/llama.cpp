// SPDX-License-Identifier: Apache-2.0
// Pre-norm residual blocks of causal grouped-query attention and SwiGLU. Activations are [tokens, width] except inside
// attention.
#include "worker/models/llama.h"

namespace etalon::models {
namespace {

void append_trained(std::vector<at::Tensor>& tensors, const at::Tensor& tensor) {
  if (tensor.requires_grad()) {
    tensors.push_back(tensor);
  }
}

void append_trained(std::vector<at::Tensor>& tensors, const LinearPtr& linear) {
  const std::vector<at::Tensor> more = linear->trained();
  tensors.insert(tensors.end(), more.begin(), more.end());
}

/// Angles are kept in no less than single precision.
at::ScalarType angle_type(const at::TensorOptions& options) {
  const at::ScalarType type = c10::typeMetaToScalarType(options.dtype());
  return at::isReducedFloatingType(type) ? at::kFloat : type;
}

}  // namespace

Llama::Llama(const LlamaConfig& config, std::int64_t longest, const at::TensorOptions& options, ParameterSet& set,
             const Checkpointing& checkpointing)
    : config_(config),
      checkpointing_(checkpointing),
      embedding_(set.tensor({"model.embed_tokens.weight", {config.vocabulary, config.width}})),
      rotary_(rotary_tables(longest, config.head_width(), config.rope_theta, options.dtype(angle_type(options)))) {
  for (std::int64_t index = 0; index < config.layers; ++index) {
    layers_.push_back(make_layer(index, set));
  }
  norm_ = set.tensor({"model.norm.weight", {config.width}});
  head_ = config.tied_head ? embedding_ : set.tensor({"lm_head.weight", {config.vocabulary, config.width}});
  parameters_ = set.trained();
}

Llama::Llama(const LlamaConfig& config, std::int64_t longest, const at::TensorOptions& options)
    : Llama(config, longest, options, *std::make_unique<EmptyParameters>(options), find_checkpointing("none")) {}

Llama::Layer Llama::make_layer(std::int64_t index, ParameterSet& set) const {
  const std::string prefix = "model.layers." + std::to_string(index) + ".";
  const std::int64_t key_value_width = config_.key_value_heads * config_.head_width();
  const auto linear = [&](const std::string& name, std::int64_t outputs, std::int64_t inputs, bool has_bias) {
    return set.linear({.name = prefix + name,
                       .layer = index,
                       .layers = config_.layers,
                       .outputs = outputs,
                       .inputs = inputs,
                       .has_bias = has_bias});
  };
  // In state-dict order, which is also that of the list of parameters.
  Layer layer;
  layer.query = linear("self_attn.q_proj", config_.width, config_.width, config_.qkv_bias);
  layer.key = linear("self_attn.k_proj", key_value_width, config_.width, config_.qkv_bias);
  layer.value = linear("self_attn.v_proj", key_value_width, config_.width, config_.qkv_bias);
  layer.output = linear("self_attn.o_proj", config_.width, config_.width, false);
  layer.gate = linear("mlp.gate_proj", config_.mlp_width, config_.width, false);
  layer.up = linear("mlp.up_proj", config_.mlp_width, config_.width, false);
  layer.down = linear("mlp.down_proj", config_.width, config_.mlp_width, false);
  layer.input_norm = set.tensor({prefix + "input_layernorm.weight", {config_.width}});
  layer.mlp_norm = set.tensor({prefix + "post_attention_layernorm.weight", {config_.width}});
  append_trained(layer.trained_of_mlp, layer.mlp_norm);
  for (const LinearPtr& part : {layer.gate, layer.up, layer.down}) {
    append_trained(layer.trained_of_mlp, part);
  }
  layer.trained = layer.trained_of_mlp;
  append_trained(layer.trained, layer.input_norm);
  for (const LinearPtr& part : {layer.query, layer.key, layer.value, layer.output}) {
    append_trained(layer.trained, part);
  }
  return layer;
}

at::Tensor Llama::norm(const at::Tensor& x, const at::Tensor& weight) const {
  return rms_norm(x, weight, config_.norm_epsilon);
}

at::Tensor Llama::attention(const Layer& layer, const at::Tensor& normal, const RotaryTables& rotary,
                            std::int64_t batch) const {
  const std::int64_t head_width = config_.head_width();
  const auto heads = [&](const at::Tensor& projected) {
    return projected.view({batch, -1, projected.size(1) / head_width, head_width});
  };
  const at::Tensor query = rotate(heads((*layer.query)(normal)), rotary).transpose(1, 2);
  const at::Tensor key = rotate(heads((*layer.key)(normal)), rotary).transpose(1, 2);
  const at::Tensor value = heads((*layer.value)(normal)).transpose(1, 2);
  const bool grouped = config_.heads != config_.key_value_heads;
  const at::Tensor mixed =
      at::scaled_dot_product_attention(query, key, value, {}, 0.0, /*is_causal=*/true, {}, grouped);
  return (*layer.output)(mixed.transpose(1, 2).reshape({normal.size(0), config_.width}));
}

at::Tensor Llama::mlp(const Layer& layer, const at::Tensor& x) const {
  const at::Tensor normal = norm(x, layer.mlp_norm);
  return (*layer.down)(swiglu((*layer.gate)(normal), (*layer.up)(normal)));
}

at::Tensor Llama::layer_output(const Layer& layer, const at::Tensor& x, const RotaryTables& rotary,
                               std::int64_t batch) const {
  const auto part = [](bool again, const auto& body, const at::Tensor& input, const std::vector<at::Tensor>& trained) {
    return again ? recomputed(body, input, trained) : body(input);
  };
  std::vector<at::Tensor> trained_of_norm;
  append_trained(trained_of_norm, layer.input_norm);
  const at::Tensor normal = part(
      checkpointing_.attention_norm, [this, &layer](const at::Tensor& input) { return norm(input, layer.input_norm); },
      x, trained_of_norm);
  const at::Tensor between = x + attention(layer, normal, rotary, batch);
  return between + part(
                       checkpointing_.mlp_block, [this, &layer](const at::Tensor& input) { return mlp(layer, input); },
                       between, layer.trained_of_mlp);
}

at::Tensor Llama::hidden_states(const at::Tensor& tokens_BT) const {
  const std::int64_t batch = tokens_BT.size(0);
  const std::int64_t context = tokens_BT.size(1);
  const RotaryTables rotary{rotary_.cosine.narrow(0, 0, context), rotary_.sine.narrow(0, 0, context)};
  at::Tensor hidden = at::embedding(embedding_, tokens_BT.reshape(-1));
  for (const Layer& layer : layers_) {
    const auto body = [this, &layer, rotary, batch](const at::Tensor& x) {
      return layer_output(layer, x, rotary, batch);
    };
    hidden = checkpointing_.whole_layer ? recomputed(body, hidden, layer.trained) : body(hidden);
  }
  return norm(hidden, norm_);
}

at::Tensor Llama::logits(const at::Tensor& tokens_BT) const {
  return at::linear(hidden_states(tokens_BT), head_).view({tokens_BT.size(0), tokens_BT.size(1), config_.vocabulary});
}

at::Tensor Llama::loss(const at::Tensor& tokens_BT, const at::Tensor& targets_BT) const {
  const at::Tensor logits = at::linear(hidden_states(tokens_BT), head_);
  // As autocast does for itself: the softmax over a vocabulary needs single precision.
  const at::Tensor wide = at::isReducedFloatingType(logits.scalar_type()) ? logits.to(at::kFloat) : logits;
  return at::cross_entropy_loss(wide, targets_BT.reshape(-1));
}

}  // namespace etalon::models
