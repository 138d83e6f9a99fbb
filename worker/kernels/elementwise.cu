// SPDX-License-Identifier: Apache-2.0
// Eight elements a thread.
#include "worker/kernels/catalog.h"
#include "worker/kernels/eight.cuh"

namespace etalon::kernels::cuda {
namespace {

constexpr int threads = 256;

__global__ void __launch_bounds__(threads) add_pairs(const Add work) {
  const std::int64_t group = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (group >= work.count / 8) return;
  Eight sum = load_bf16(work.first, group);
  const Eight second = load_bf16(work.second, group);
#pragma unroll
  for (int element = 0; element < 8; ++element) sum.value[element] += second.value[element];
  store_bf16(work.result, group, sum);
}

__global__ void __launch_bounds__(threads) round_to_bf16(const Convert work) {
  const std::int64_t group = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (group < work.count / 8) store_bf16(work.result, group, load_f32(work.source, group));
}

}  // namespace

void add(const Add& work, Stream stream) {
  add_pairs<<<blocks_for(work.count / 8, threads), threads, 0, stream>>>(work);
  check_cuda(cudaGetLastError(), "add");
}

void convert(const Convert& work, Stream stream) {
  round_to_bf16<<<blocks_for(work.count / 8, threads), threads, 0, stream>>>(work);
  check_cuda(cudaGetLastError(), "convert");
}

}  // namespace etalon::kernels::cuda
