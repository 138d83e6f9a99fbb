// SPDX-License-Identifier: Apache-2.0
// Places buffers in one stretch of memory by their lifetimes, before any memory is taken.
#pragma once

#include <cstdint>
#include <vector>

#include "worker/fused/schedule.h"

namespace etalon::fused {

/// Every buffer starts at a multiple of this.
inline constexpr std::int64_t buffer_alignment = 256;
constexpr std::int64_t aligned(std::int64_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

struct MemoryPlan {
  std::vector<std::int64_t> offsets;  ///< of each buffer
  std::int64_t bytes = 0;             ///< from the first to the end of the last
};

/// Largest buffers first, each at the lowest place that is free during its whole life.
MemoryPlan place(const std::vector<Buffer>& buffers);

/// The most bytes alive at one instruction: no placement can need less.
std::int64_t least_bytes(const std::vector<Buffer>& buffers);

}  // namespace etalon::fused
