// SPDX-License-Identifier: Apache-2.0
// Sums of two matrices: of activations, and of the gradients that meet at a value used twice.
#pragma once

#include <memory>
#include <string>

#include "worker/fused/operation.h"

namespace etalon::fused {

ValueId add(Graph& graph, const std::string& name, ValueId first, ValueId second);

/// For the reversal: binds its operands to these in place of values.
inline constexpr ValueId sum_first = 0;
inline constexpr ValueId sum_second = 1;
inline constexpr ValueId sum_result = 2;
std::unique_ptr<Operation> sum_of_gradients(const Value& value);

}  // namespace etalon::fused
