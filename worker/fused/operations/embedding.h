// SPDX-License-Identifier: Apache-2.0
// Rows of a table by token.
#pragma once

#include <string>

#include "worker/fused/graph.h"

namespace etalon::fused {

/// tokens is an int64 input with one row per token; the result is [tokens, width of the table].
ValueId embedding(Graph& graph, const std::string& name, ValueId tokens, ValueId table);

}  // namespace etalon::fused
