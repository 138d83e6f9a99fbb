// SPDX-License-Identifier: Apache-2.0
// The catalogue of Llama-like models, and the arithmetic on their shapes.
#include "worker/models/llama_config.h"

#include "base/text.h"
#include "worker/failure.h"

namespace etalon::models {
namespace {

const std::vector<LlamaConfig>& catalogue() {
  // name, layers, width, heads, key/value heads, MLP, vocabulary, longest context, norm epsilon, RoPE theta, tied, bias
  static const std::vector<LlamaConfig> configs{
      {"nano", 5, 128, 4, 4, 352, 256, 2048, 1e-5, 1e4, false, false},
      {"llm-125m", 12, 768, 12, 12, 2048, 50304, 8192, 1e-5, 1e4, true, false},
      {"llm-350m", 24, 1024, 16, 16, 2816, 50304, 8192, 1e-5, 1e4, true, false},
      {"qwen2.5-0.5b", 24, 896, 14, 2, 4864, 151936, 32768, 1e-6, 1e6, true, true},
      {"tinyllama-1.1b", 22, 2048, 32, 4, 5632, 32000, 2048, 1e-5, 1e4, false, false},
      {"llama-2-7b", 32, 4096, 32, 32, 11008, 32000, 4096, 1e-5, 1e4, false, false},
      {"llama-3-8b", 32, 4096, 32, 8, 14336, 128256, 8192, 1e-5, 5e5, false, false},
      {"llama-2-13b", 40, 5120, 40, 40, 13824, 32000, 4096, 1e-5, 1e4, false, false},
      {"llama-2-70b", 80, 8192, 64, 8, 28672, 32000, 4096, 1e-5, 1e4, false, false},
  };
  return configs;
}

void add_layer(std::vector<NamedShape>& shapes, const LlamaConfig& config, std::int64_t layer) {
  const std::string prefix = "model.layers." + std::to_string(layer) + ".";
  const std::int64_t key_value_width = config.key_value_heads * config.head_width();
  const auto projection = [&](const std::string& name, std::int64_t outputs) {
    shapes.push_back({prefix + "self_attn." + name + ".weight", {outputs, config.width}});
    if (config.qkv_bias) {
      shapes.push_back({prefix + "self_attn." + name + ".bias", {outputs}});
    }
  };
  projection("q_proj", config.width);
  projection("k_proj", key_value_width);
  projection("v_proj", key_value_width);
  shapes.push_back({prefix + "self_attn.o_proj.weight", {config.width, config.width}});
  shapes.push_back({prefix + "mlp.gate_proj.weight", {config.mlp_width, config.width}});
  shapes.push_back({prefix + "mlp.up_proj.weight", {config.mlp_width, config.width}});
  shapes.push_back({prefix + "mlp.down_proj.weight", {config.width, config.mlp_width}});
  shapes.push_back({prefix + "input_layernorm.weight", {config.width}});
  shapes.push_back({prefix + "post_attention_layernorm.weight", {config.width}});
}

}  // namespace

std::span<const LlamaConfig> llama_configs() { return catalogue(); }

const LlamaConfig& find_llama_config(std::string_view name) {
  std::vector<std::string> names;
  for (const LlamaConfig& config : catalogue()) {
    if (config.name == name) {
      return config;
    }
    names.push_back(config.name);
  }
  throw worker::unsupported(
      "no language model is called \"" + std::string(name) + "\"",
      "set workload.model to one of: " + base::join(names, ", ") + "; or to the path of a config.json");
}

std::vector<NamedShape> parameter_shapes(const LlamaConfig& config) {
  std::vector<NamedShape> shapes{{"model.embed_tokens.weight", {config.vocabulary, config.width}}};
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    add_layer(shapes, config, layer);
  }
  shapes.push_back({"model.norm.weight", {config.width}});
  if (!config.tied_head) {
    shapes.push_back({"lm_head.weight", {config.vocabulary, config.width}});
  }
  return shapes;
}

std::int64_t parameter_count(const LlamaConfig& config) {
  std::int64_t count = 0;
  for (const NamedShape& named : parameter_shapes(config)) {
    count += element_count(named);
  }
  return count;
}

MultiplyAccumulates multiply_accumulates_per_token(const LlamaConfig& config, std::int64_t context) {
  const auto width = static_cast<double>(config.width);
  const auto key_value_width = static_cast<double>(config.key_value_heads * config.head_width());
  const auto layers = static_cast<double>(config.layers);
  const double layer = width * (2 * width + 2 * key_value_width + 3 * static_cast<double>(config.mlp_width));
  // q·k and weights·v, each width multiply-accumulates per score, (context + 1) / 2 scores per token on average.
  return {.linear = layers * layer + static_cast<double>(config.vocabulary) * width,
          .attention = layers * width * static_cast<double>(context + 1)};
}

}  // namespace etalon::models
