// SPDX-License-Identifier: Apache-2.0
// Backward sorts the positions by token (a stable sort), so that each row of the table is summed by one block in the
// order of the text.
#include <cub/device/device_radix_sort.cuh>

#include <bit>

#include "worker/kernels/catalog.h"
#include "worker/kernels/eight.cuh"

namespace etalon::kernels::cuda {
namespace {

constexpr int threads = 256;

__global__ void __launch_bounds__(threads) copy_rows(const EmbeddingForward work) {
  const auto groups = static_cast<unsigned>(work.width / 8);
  const unsigned index = blockIdx.x * threads + threadIdx.x;
  const unsigned row = index / groups;
  if (row >= work.rows) return;
  const std::int64_t token = static_cast<const std::int64_t*>(work.tokens)[row];
  static_cast<uint4*>(work.result)[index] = load_raw(work.table, token * groups + index % groups);
}

__global__ void __launch_bounds__(threads) number_rows(const EmbeddingBackward work, int* keys, int* positions) {
  const auto row = static_cast<int>(blockIdx.x * threads + threadIdx.x);
  if (row >= work.rows) return;
  keys[row] = static_cast<int>(static_cast<const std::int64_t*>(work.tokens)[row]);
  positions[row] = row;
}

/// The block at the first of equal keys sums the rows of all of them.
template <bool bf16>
__global__ void __launch_bounds__(threads)
    sum_rows(const EmbeddingBackward work, const int* keys, const int* positions) {
  const auto first = static_cast<std::int64_t>(blockIdx.x);
  const int key = keys[first];
  if (first > 0 && keys[first - 1] == key) return;
  const auto groups = static_cast<int>(work.width / 8);
  for (int group = static_cast<int>(threadIdx.x); group < groups; group += threads) {
    const std::int64_t target = static_cast<std::int64_t>(key) * groups + group;
    Eight sum = work.adds ? load<bf16>(work.table_gradient, target) : Eight{};
    for (std::int64_t next = first; next < work.rows && keys[next] == key; ++next) {
      const Eight added = load_bf16(work.result_gradient, static_cast<std::int64_t>(positions[next]) * groups + group);
#pragma unroll
      for (int element = 0; element < 8; ++element) sum.value[element] += added.value[element];
    }
    store<bf16>(work.table_gradient, target, sum);
  }
}

}  // namespace

void embedding_forward(const EmbeddingForward& work, Stream stream) {
  copy_rows<<<blocks_for(work.rows * work.width / 8, threads), threads, 0, stream>>>(work);
  check_cuda(cudaGetLastError(), "embedding_forward");
}

void embedding_backward(const EmbeddingBackward& work, Stream stream) {
  const std::int64_t rows = work.rows;
  auto* const keys = static_cast<int*>(work.scratch);
  int* const positions = keys + rows;
  int* const sorted_keys = positions + rows;
  int* const sorted_positions = sorted_keys + rows;
  number_rows<<<blocks_for(rows, threads), threads, 0, stream>>>(work, keys, positions);
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(work.vocabulary - 1)));
  auto room = static_cast<std::size_t>(embedding_sort_bytes);
  check_cuda(cub::DeviceRadixSort::SortPairs(sorted_positions + rows, room, keys, sorted_keys, positions,
                                             sorted_positions, static_cast<int>(rows), 0, bits, stream),
             "sorting tokens");
  if (!work.adds) {
    const std::int64_t bytes = work.vocabulary * work.width * bytes_of(work.gradient);
    check_cuda(cudaMemsetAsync(work.table_gradient, 0, static_cast<std::size_t>(bytes), stream), "embedding_backward");
  }
  const auto blocks = static_cast<unsigned>(rows);
  if (work.gradient == Number::bf16) {
    sum_rows<true><<<blocks, threads, 0, stream>>>(work, sorted_keys, sorted_positions);
  } else {
    sum_rows<false><<<blocks, threads, 0, stream>>>(work, sorted_keys, sorted_positions);
  }
  check_cuda(cudaGetLastError(), "embedding_backward");
}

}  // namespace etalon::kernels::cuda
