// SPDX-License-Identifier: Apache-2.0
// The list of what a step runs: the model's operations, then, derived from them alone, the same list reversed.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "worker/fused/operation.h"

namespace etalon::fused {

/// Memory that exists from one instruction to another.
struct Buffer {
  std::string name;
  std::int64_t bytes = 0;
  std::int32_t first = 0;  ///< the instruction that writes it
  std::int32_t last = 0;   ///< the last that touches it
};

/// A buffer of the schedule, or the value's own lasting memory (`lasting`).
struct Binding {
  ValueId value = no_value;
  std::int32_t buffer = lasting;
  bool adds = false;
  static constexpr std::int32_t lasting = -1;
};

struct Instruction {
  const Operation* operation = nullptr;
  Direction direction = Direction::forward;
  std::vector<Binding> values{}, gradients{};
  std::int32_t scratch = -2;  ///< a buffer, or none
};

struct Schedule {
  std::vector<Instruction> instructions;
  std::vector<Buffer> buffers;
  std::vector<std::unique_ptr<Operation>> sums;  ///< operations that the reversal itself needed
};

/// Forward alone, as evaluation needs it.
Schedule forward_schedule(const Graph& graph, const Backend& backend);

/// Forward and backward. Values in `recomputed` are dropped after their forward use and made again by their operation
/// (and its inputs, as far as those were dropped too) just before the backward needs them.
/// Throws worker::Failure("internal") for a graph that cannot be reversed.
Schedule training_schedule(const Graph& graph, const Backend& backend, const std::set<ValueId>& recomputed = {});

}  // namespace etalon::fused
