// SPDX-License-Identifier: Apache-2.0
// Causal attention on packed query/key/value rows.
#pragma once

#include <string>

#include "worker/fused/graph.h"
#include "worker/kernels/attention.h"

namespace etalon::fused {

struct Attended {
  ValueId mixed = no_value;     ///< [batch · context, heads · head_width]
  ValueId log_sums = no_value;  ///< wide, [batch · heads, context]
};
Attended attention(Graph& graph, const std::string& name, ValueId packed, const kernels::AttentionShape& shape);

}  // namespace etalon::fused
