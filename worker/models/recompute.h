// SPDX-License-Identifier: Apache-2.0
// Activation checkpointing: a part of the forward pass keeps its input alone, and runs a second time when its gradients
// are wanted. The same operations on the same numbers: losses and gradients keep their bits.
#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace etalon::models {

/// body(x), of which only x is kept. `trained` are all tensors with gradients that the body uses besides x. The body must
/// stay callable until the backward pass is over, and do the same each time. Autocast is as it was in the forward pass.
at::Tensor recomputed(const std::function<at::Tensor(const at::Tensor& x)>& body, const at::Tensor& x,
                      const std::vector<at::Tensor>& trained);

/// What a layer of a transformer recomputes.
struct Checkpointing {
  std::string_view name;
  bool attention_norm = false;
  bool mlp_block = false;  ///< its norm, its three products and SwiGLU
  bool whole_layer = false;
  std::string_view keeps;  ///< per layer, for the dossier
};

/// Throws worker::Failure(unsupported) naming those there are.
const Checkpointing& find_checkpointing(const std::string& name);

}  // namespace etalon::models
