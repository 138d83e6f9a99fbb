// SPDX-License-Identifier: Apache-2.0
// A thread turns eight elements of a head with the eight half a head further on.
#include "worker/kernels/catalog.h"
#include "worker/kernels/eight.cuh"

namespace etalon::kernels::cuda {
namespace {

constexpr int threads = 256;

__device__ inline void add_bias(Eight& eight, const void* bias, int group) {
  const Eight added = load_f32(bias, group);
#pragma unroll
  for (int element = 0; element < 8; ++element) eight.value[element] += added.value[element];
  eight = rounded(eight);
}

/// `heads` are those that are touched: with a bias the values too.
__global__ void __launch_bounds__(threads) turn(const Rotary work, unsigned heads) {
  const auto half = static_cast<unsigned>(work.head_width / 16);  // groups of eight in half a head
  const unsigned index = blockIdx.x * threads + threadIdx.x;
  const unsigned group = index % half;
  const unsigned head = index / half % heads;
  const unsigned row = index / (half * heads);
  if (row >= work.rows) return;
  const auto row_groups = static_cast<unsigned>((work.heads + 2 * work.key_value_heads) * work.head_width / 8);
  const unsigned in_row = head * 2 * half + group;
  const std::int64_t place = static_cast<std::int64_t>(row) * row_groups + in_row;
  Eight first = load_bf16(work.packed, place);
  Eight second = load_bf16(work.packed, place + half);
  if (work.bias != nullptr) {
    add_bias(first, work.bias, static_cast<int>(in_row));
    add_bias(second, work.bias, static_cast<int>(in_row + half));
  }
  if (head < work.heads + work.key_value_heads) {
    const std::int64_t angle = static_cast<std::int64_t>(row % static_cast<unsigned>(work.context)) * half + group;
    const Eight cosine = load_f32(work.cosine, angle);
    const Eight sine = load_f32(work.sine, angle);
    const float direction = work.backward ? -1.0F : 1.0F;
#pragma unroll
    for (int element = 0; element < 8; ++element) {
      const float across = direction * sine.value[element];
      const float turned = first.value[element] * cosine.value[element] - second.value[element] * across;
      second.value[element] = second.value[element] * cosine.value[element] + first.value[element] * across;
      first.value[element] = turned;
    }
  }
  store_bf16(work.packed, place, first);
  store_bf16(work.packed, place + half, second);
}

/// A slice of the rows each.
__global__ void add_rows(const ColumnSums work) {
  const auto groups = static_cast<int>(work.columns / 8);
  const int group = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (group >= groups) return;
  Eight sum = {};
  for (std::int64_t row = blockIdx.y; row < work.rows; row += column_sum_slices) {
    const Eight added = load_bf16(work.matrix, row * groups + group);
#pragma unroll
    for (int element = 0; element < 8; ++element) sum.value[element] += added.value[element];
  }
  store_f32(work.scratch, static_cast<std::int64_t>(blockIdx.y) * groups + group, sum);
}

__global__ void add_slices(const ColumnSums work) {
  const auto column = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (column >= work.columns) return;
  auto* const sums = static_cast<float*>(work.sums);
  float sum = work.adds ? sums[column] : 0.0F;
  for (std::int64_t slice = 0; slice < column_sum_slices; ++slice) {
    sum += static_cast<const float*>(work.scratch)[slice * work.columns + column];
  }
  sums[column] = sum;
}

}  // namespace

void rotary(const Rotary& work, Stream stream) {
  const std::int64_t heads = work.heads + (work.bias == nullptr ? 1 : 2) * work.key_value_heads;
  const std::int64_t items = work.rows * heads * (work.head_width / 16);
  turn<<<blocks_for(items, threads), threads, 0, stream>>>(work, static_cast<unsigned>(heads));
  check_cuda(cudaGetLastError(), "rotary");
}

void column_sums(const ColumnSums& work, Stream stream) {
  constexpr int width = 64;
  const dim3 grid(blocks_for(work.columns / 8, width), static_cast<unsigned>(column_sum_slices));
  add_rows<<<grid, width, 0, stream>>>(work);
  add_slices<<<blocks_for(work.columns, threads), threads, 0, stream>>>(work);
  check_cuda(cudaGetLastError(), "column_sums");
}

}  // namespace etalon::kernels::cuda
