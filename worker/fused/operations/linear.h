// SPDX-License-Identifier: Apache-2.0
// Products with a weight: x · weightᵀ.
#pragma once

#include <string>

#include "worker/fused/graph.h"

namespace etalon::fused {

/// x is [rows, inputs], weight is [outputs, inputs]; the result is [rows, outputs].
ValueId linear(Graph& graph, const std::string& name, ValueId x, ValueId weight);

}  // namespace etalon::fused
