// SPDX-License-Identifier: Apache-2.0
// Llama-like models as a list of operations over the published parameters.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "worker/fused/lasting_memory.h"
#include "worker/models/llama_config.h"

namespace etalon::fused {

struct LlamaList {
  Graph graph{Number::f32};
  std::vector<StoredParameter> parameters;
  ValueId tokens = no_value;   ///< int64, [batch · context, 1]
  ValueId targets = no_value;  ///< the same; negative ones count nothing
  ValueId cosine = no_value;   ///< wide, [context, head_width / 2]
  ValueId sine = no_value;
  ValueId loss = no_value;  ///< wide scalar: mean over all positions, times `share`
  /// What each way of checkpointing makes again instead of keeping it.
  std::set<ValueId> recomputed_selectively, recomputed_fully;
};

struct LlamaListSettings {
  Number number = Number::f32;    ///< of activations and working weights
  Number gradient = Number::f32;  ///< of matrices' gradients
  std::int64_t batch = 0;
  std::int64_t context = 0;
  double share = 1;
};

/// Throws worker::Failure for shapes that the kernels do not serve.
LlamaList llama_list(const models::LlamaConfig& config, const LlamaListSettings& settings);

/// Of the list, by the recipe's word; throws worker::Failure for an unknown one.
std::set<ValueId> recomputed_for(const LlamaList& list, std::string_view checkpointing);

}  // namespace etalon::fused
