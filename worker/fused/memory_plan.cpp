// SPDX-License-Identifier: Apache-2.0
// First fit in the order of size.
#include "worker/fused/memory_plan.h"

#include <algorithm>
#include <numeric>

namespace etalon::fused {
namespace {

bool meet(const Buffer& first, const Buffer& second) {
  return first.first <= second.last && second.first <= first.last;
}

std::vector<std::size_t> by_size(const std::vector<Buffer>& buffers) {
  std::vector<std::size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t left, std::size_t right) { return buffers[left].bytes > buffers[right].bytes; });
  return order;
}

struct Stretch {
  std::int64_t begin;
  std::int64_t end;
};

}  // namespace

MemoryPlan place(const std::vector<Buffer>& buffers) {
  MemoryPlan plan{.offsets = std::vector<std::int64_t>(buffers.size())};
  std::vector<std::size_t> placed;
  for (const std::size_t index : by_size(buffers)) {
    std::vector<Stretch> taken;
    for (const std::size_t other : placed) {
      if (meet(buffers[index], buffers[other])) {
        taken.push_back({plan.offsets[other], plan.offsets[other] + aligned(buffers[other].bytes)});
      }
    }
    std::sort(taken.begin(), taken.end(), [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
    std::int64_t offset = 0;
    for (const Stretch& stretch : taken) {
      if (stretch.begin - offset >= aligned(buffers[index].bytes)) {
        break;
      }
      offset = std::max(offset, stretch.end);
    }
    plan.offsets[index] = offset;
    plan.bytes = std::max(plan.bytes, offset + aligned(buffers[index].bytes));
    placed.push_back(index);
  }
  return plan;
}

std::int64_t least_bytes(const std::vector<Buffer>& buffers) {
  std::int64_t most = 0;
  for (const Buffer& now : buffers) {  // the maximum is reached where some buffer begins
    std::int64_t alive = 0;
    for (const Buffer& buffer : buffers) {
      alive += buffer.first <= now.first && now.first <= buffer.last ? aligned(buffer.bytes) : 0;
    }
    most = std::max(most, alive);
  }
  return most;
}

}  // namespace etalon::fused
