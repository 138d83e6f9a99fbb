// SPDX-License-Identifier: Apache-2.0
// silu(gate) · up on the rows that the merged gate and up projection writes.
#pragma once

#include <string>

#include "worker/fused/graph.h"

namespace etalon::fused {

/// gate_up is [rows, 2 · width]; the result is [rows, width].
ValueId swiglu(Graph& graph, const std::string& name, ValueId gate_up);

}  // namespace etalon::fused
