// SPDX-License-Identifier: Apache-2.0
// What outlives a step: parameters with gradients, masters and moments, inputs, results, the optimiser's state. All
// parameters of a kind lie in one flat stretch, so that the optimiser is one kernel over it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "worker/fused/graph.h"

namespace etalon::fused {

/// A parameter under its published name, as a part of a stored one: q_proj of the merged query/key/value weight.
struct Piece {
  std::string name;
  std::vector<std::int64_t> shape;
  std::int64_t first_element = 0;
};

struct StoredParameter {
  ValueId value = no_value;
  std::vector<Piece> pieces;
};

/// Matrices decay and may have a bf16 working copy; vectors do not and are used as they are. What is not trained has
/// its working weights and nothing else.
struct ParameterKind {
  std::vector<StoredParameter> parameters{};
  std::vector<std::int64_t> first_elements{};  ///< of each parameter in the flat stretches
  std::int64_t count = 0;                      ///< elements of each stretch, gaps included
  Number working = Number::f32;
  Number gradient = Number::f32;
  Number master = Number::f32;
  bool trained = true;
  bool decays = false;
  std::int64_t working_offset = 0, gradient_offset = 0, master_offset = 0, first_moment_offset = 0,
               second_moment_offset = 0;

  bool has_copy() const { return working != master; }
};

struct LastingMemory {
  std::vector<ParameterKind> kinds;
  std::map<ValueId, std::int64_t> offsets;           ///< of every lasting value
  std::map<ValueId, std::int64_t> gradient_offsets;  ///< of every trained parameter
  std::int64_t state_offset = 0;                     ///< kernels::UpdateState
  std::int64_t partial_offset = 0;                   ///< square_blocks doubles for each kind
  std::int64_t parameter_bytes = 0, gradient_bytes = 0, optimizer_bytes = 0;
  std::int64_t bytes = 0;
};

LastingMemory lay_out(const Graph& graph, const std::vector<StoredParameter>& parameters);

}  // namespace etalon::fused
