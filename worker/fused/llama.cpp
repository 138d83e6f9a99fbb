// SPDX-License-Identifier: Apache-2.0
// Pre-norm residual blocks: each addition to the residual stream is part of the normalisation that follows it.
#include "worker/fused/llama.h"

#include <string>

#include "worker/failure.h"
#include "worker/fused/operations/attention.h"
#include "worker/fused/operations/embedding.h"
#include "worker/fused/operations/head_loss.h"
#include "worker/fused/operations/linear.h"
#include "worker/fused/operations/rms_norm.h"
#include "worker/fused/operations/rotary.h"
#include "worker/fused/operations/swiglu.h"

namespace etalon::fused {
namespace {

class ListBuilder {
 public:
  ListBuilder(const models::LlamaConfig& config, const LlamaListSettings& settings)
      : config_(config),
        settings_(settings),
        shape_{.number = settings.number,
               .batch = settings.batch,
               .context = settings.context,
               .heads = config.heads,
               .key_value_heads = config.key_value_heads,
               .head_width = config.head_width()} {
    list_.graph = Graph(settings.number);
  }

  LlamaList build() {
    add_inputs();
    const ValueId table = matrix("model.embed_tokens", {{"model.embed_tokens.weight", config_.vocabulary}});
    ValueId stream = embedding(list_.graph, "embedding", list_.tokens, table);
    ValueId delta = no_value;
    for (std::int64_t layer = 0; layer < config_.layers; ++layer) {
      add_layer("model.layers." + std::to_string(layer) + ".", stream, delta);
    }
    const ValueId weight = vector("model.norm", {{"model.norm.weight", config_.width}});
    const Normalised last = rms_norm(list_.graph, "norm", stream, delta, weight, config_.norm_epsilon);
    const ValueId head = config_.tied_head ? table : matrix("lm_head", {{"lm_head.weight", config_.vocabulary}});
    head_loss(list_.graph, last.normal, head, list_.targets, list_.loss, {.share = settings_.share});
    return std::move(list_);
  }

 private:
  struct Part {
    std::string name;
    std::int64_t rows;
  };

  void add_inputs() {
    const std::int64_t rows = settings_.batch * settings_.context;
    const Number wide = kernels::wide(settings_.number);
    list_.tokens = list_.graph.input("tokens", Number::i64, rows, 1);
    list_.targets = list_.graph.input("targets", Number::i64, rows, 1);
    list_.cosine = list_.graph.input("cosine", wide, settings_.context, config_.head_width() / 2);
    list_.sine = list_.graph.input("sine", wide, settings_.context, config_.head_width() / 2);
    list_.loss = list_.graph.result("loss", wide);
  }

  /// Published weights one below the other.
  ValueId matrix(const std::string& name, const std::vector<Part>& parts, std::int64_t columns = 0) {
    columns = columns == 0 ? config_.width : columns;
    StoredParameter stored;
    std::int64_t rows = 0;
    for (const Part& part : parts) {
      stored.pieces.push_back({part.name, {part.rows, columns}, rows * columns});
      rows += part.rows;
    }
    return store(std::move(stored), list_.graph.parameter(name, rows, columns, settings_.number, settings_.gradient));
  }

  ValueId vector(const std::string& name, const std::vector<Part>& parts) {
    StoredParameter stored;
    std::int64_t count = 0;
    for (const Part& part : parts) {
      stored.pieces.push_back({part.name, {part.rows}, count});
      count += part.rows;
    }
    const Number wide = kernels::wide(settings_.number);
    return store(std::move(stored), list_.graph.parameter(name, 1, count, wide, wide));
  }

  ValueId store(StoredParameter stored, ValueId value) {
    stored.value = value;
    list_.parameters.push_back(std::move(stored));
    return value;
  }

  void add_layer(const std::string& prefix, ValueId& stream, ValueId& delta) {
    Graph& graph = list_.graph;
    const ValueId input_weight =
        vector(prefix + "input_layernorm", {{prefix + "input_layernorm.weight", config_.width}});
    const Normalised input = rms_norm(graph, prefix + "input", stream, delta, input_weight, config_.norm_epsilon);
    const ValueId mixed = add_attention(prefix, input.normal);
    const ValueId mlp_weight =
        vector(prefix + "post_attention_layernorm", {{prefix + "post_attention_layernorm.weight", config_.width}});
    const Normalised middle = rms_norm(graph, prefix + "mlp", input.stream, mixed, mlp_weight, config_.norm_epsilon);
    delta = add_mlp(prefix, middle.normal);
    stream = middle.stream;
    list_.recomputed_selectively.insert({input.normal, middle.normal});
    list_.recomputed_fully.insert({input.normal, middle.normal, middle.stream});
  }

  ValueId add_attention(const std::string& prefix, ValueId normal) {
    Graph& graph = list_.graph;
    const std::int64_t key_value_width = config_.key_value_heads * config_.head_width();
    const auto parts = [&](const std::string& kind) {
      return std::vector<Part>{{prefix + "self_attn.q_proj." + kind, config_.width},
                               {prefix + "self_attn.k_proj." + kind, key_value_width},
                               {prefix + "self_attn.v_proj." + kind, key_value_width}};
    };
    const ValueId weight = matrix(prefix + "qkv", parts("weight"));
    const ValueId bias = config_.qkv_bias ? vector(prefix + "qkv_bias", parts("bias")) : no_value;
    const ValueId packed = linear(graph, prefix + "qkv", normal, weight);
    const ValueId turned = rotary(graph, prefix + "rotary", packed, bias, {list_.cosine, list_.sine}, shape_);
    const auto [mixed, log_sums] = attention(graph, prefix + "attention", turned, shape_);
    list_.recomputed_fully.insert({turned, mixed, log_sums});
    return linear(graph, prefix + "o_proj", mixed,
                  matrix(prefix + "o_proj", {{prefix + "self_attn.o_proj.weight", config_.width}}));
  }

  ValueId add_mlp(const std::string& prefix, ValueId normal) {
    Graph& graph = list_.graph;
    const ValueId weight = matrix(prefix + "gate_up", {{prefix + "mlp.gate_proj.weight", config_.mlp_width},
                                                       {prefix + "mlp.up_proj.weight", config_.mlp_width}});
    const ValueId gate_up = linear(graph, prefix + "gate_up", normal, weight);
    const ValueId product = swiglu(graph, prefix + "swiglu", gate_up);
    list_.recomputed_selectively.insert(product);
    list_.recomputed_fully.insert({gate_up, product});
    const ValueId down =
        matrix(prefix + "down_proj", {{prefix + "mlp.down_proj.weight", config_.width}}, config_.mlp_width);
    return linear(graph, prefix + "down_proj", product, down);
  }

  models::LlamaConfig config_;
  LlamaListSettings settings_;
  kernels::AttentionShape shape_;
  LlamaList list_;
};

}  // namespace

LlamaList llama_list(const models::LlamaConfig& config, const LlamaListSettings& settings) {
  return ListBuilder(config, settings).build();
}

std::set<ValueId> recomputed_for(const LlamaList& list, std::string_view checkpointing) {
  if (checkpointing == "none") {
    return {};
  }
  if (checkpointing == "selective") {
    return list.recomputed_selectively;
  }
  if (checkpointing == "full") {
    return list.recomputed_fully;
  }
  throw worker::unsupported("training.checkpointing = \"" + std::string(checkpointing) + "\" is unknown",
                            "set training.checkpointing to none, selective or full");
}

}  // namespace etalon::fused
