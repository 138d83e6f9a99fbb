// SPDX-License-Identifier: Apache-2.0
// The small models of the parity fixtures.
#pragma once

#include <string>

#include "tests/worker/fixture.h"
#include "worker/models/initialise.h"
#include "worker/models/llama.h"

namespace etalon::worker_test {

/// A model of the fixtures with its tokens, whose values are those of the fill.
struct TinyModel {
  base::Json document;
  models::LlamaConfig config;
  at::Tensor tokens, shifted_tokens, shifted_targets, next_targets;
};

inline TinyModel tiny_model(const std::string& name) {
  TinyModel reference;
  reference.document = parity(name);
  const base::Json& document = reference.document;
  const base::Json& config = document["config"];
  reference.config = {.name = "tiny",
                      .layers = config["num_hidden_layers"],
                      .width = config["hidden_size"],
                      .heads = config["num_attention_heads"],
                      .key_value_heads = config["num_key_value_heads"],
                      .mlp_width = config["intermediate_size"],
                      .vocabulary = config["vocab_size"],
                      .longest_context = 32,
                      .norm_epsilon = config["rms_norm_eps"],
                      .rope_theta = document["rope_theta"],
                      .tied_head = config["tie_word_embeddings"],
                      .qkv_bias = document["qkv_bias"]};
  const std::int64_t batch = document["batch"];
  const std::int64_t length = document["seq_len"];
  const at::Tensor stream = at::tensor(document["tokens"].get<std::vector<std::int64_t>>(), at::kLong);
  reference.tokens = stream.narrow(0, 0, batch * length).view({batch, length});
  reference.next_targets = stream.narrow(0, 1, batch * length).view({batch, length});
  reference.shifted_tokens = reference.tokens.narrow(1, 0, length - 1);
  reference.shifted_targets = reference.tokens.narrow(1, 1, length - 1);
  return reference;
}

inline models::Llama filled_model(const TinyModel& reference, at::ScalarType dtype) {
  models::Llama model(reference.config, 32, at::TensorOptions(dtype));
  models::initialise(model.parameters(), "fill", 0, reference.config.layers);
  return model;
}

}  // namespace etalon::worker_test
