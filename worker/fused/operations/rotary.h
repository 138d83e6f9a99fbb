// SPDX-License-Identifier: Apache-2.0
// Positions, and the bias of the merged projection, in place on packed query/key/value rows.
#pragma once

#include <string>

#include "worker/fused/graph.h"
#include "worker/kernels/attention.h"

namespace etalon::fused {

/// Wide inputs of [context, head_width / 2] each.
struct RotaryTables {
  ValueId cosine = no_value;
  ValueId sine = no_value;
};

/// `bias` (one row) may be no_value. The result takes the place of `packed`.
ValueId rotary(Graph& graph, const std::string& name, ValueId packed, ValueId bias, const RotaryTables& tables,
               const kernels::AttentionShape& shape);

}  // namespace etalon::fused
