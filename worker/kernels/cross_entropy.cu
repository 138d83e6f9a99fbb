// SPDX-License-Identifier: Apache-2.0
// A block for each row: one pass for the logarithm of the sum, a second (whose reads hit the cache) for the gradient.
#include "worker/kernels/catalog.h"
#include "worker/kernels/eight.cuh"

namespace etalon::kernels::cuda {
namespace {

constexpr int threads = 512;
constexpr float log2_of_e = 1.4426950408889634F;

/// Σ 2^(x − largest) beside the largest x: sums of two parts can be joined.
struct Sum {
  float largest;
  float sum;
};

__device__ inline Sum join(Sum first, Sum second) {
  const float largest = fmaxf(first.largest, second.largest);
  return {largest, first.sum * exp2f(first.largest - largest) + second.sum * exp2f(second.largest - largest)};
}

__device__ inline Sum warp_join(Sum sum) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    sum = join(sum,
               {__shfl_xor_sync(0xffffffffU, sum.largest, distance), __shfl_xor_sync(0xffffffffU, sum.sum, distance)});
  }
  return sum;
}

__device__ inline Sum block_join(Sum sum, Sum* room) {
  sum = warp_join(sum);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = sum;
  __syncthreads();
  return warp_join(threadIdx.x % 32 < threads / 32 ? room[threadIdx.x % 32] : Sum{-1e30F, 0});
}

__device__ inline Sum sum_of_row(const void* logits, std::int64_t base, int groups) {
  Sum sum{-1e30F, 0};
  for (int group = static_cast<int>(threadIdx.x); group < groups; group += threads) {
    const Eight x = load_bf16(logits, base + group);
    float largest = x.value[0];
#pragma unroll
    for (int element = 1; element < 8; ++element) largest = fmaxf(largest, x.value[element]);
    Sum part{largest * log2_of_e, 0};
#pragma unroll
    for (int element = 0; element < 8; ++element) part.sum += exp2f(x.value[element] * log2_of_e - part.largest);
    sum = join(sum, part);
  }
  return sum;
}

__global__ void __launch_bounds__(threads) lose(const CrossEntropy work) {
  __shared__ Sum room[32];
  const auto groups = static_cast<int>(work.classes / 8);
  const std::int64_t base = static_cast<std::int64_t>(blockIdx.x) * groups;
  const std::int64_t target = static_cast<const std::int64_t*>(work.targets)[blockIdx.x];
  float target_logit = 0;
  if (threadIdx.x == 0 && target >= 0) {  // before the gradient takes its place
    const auto* const row = static_cast<const __nv_bfloat16*>(work.logits) + blockIdx.x * work.classes;
    target_logit = __bfloat162float(row[target]);
  }
  const Sum sum = block_join(sum_of_row(work.logits, base, groups), room);
  if (threadIdx.x == 0) {
    const float whole = (sum.largest + log2f(sum.sum)) / log2_of_e;
    static_cast<float*>(work.losses)[blockIdx.x] = target < 0 ? 0.0F : whole - target_logit;
  }
  if (!work.wants_gradient) return;
  const auto scale = target < 0 ? 0.0F : static_cast<float>(work.scale);
  const float factor = scale / sum.sum;
  for (int group = static_cast<int>(threadIdx.x); group < groups; group += threads) {
    Eight x = load_bf16(work.logits, base + group);
#pragma unroll
    for (int element = 0; element < 8; ++element) {
      x.value[element] = exp2f(x.value[element] * log2_of_e - sum.largest) * factor;
      if (target == group * 8 + element) x.value[element] -= scale;
    }
    store_bf16(work.logits, base + group, x);
  }
}

__global__ void add_up(const ScaledSum work) {
  __shared__ double room[32];
  double sum = 0;
  for (std::int64_t index = threadIdx.x; index < work.count; index += blockDim.x) {
    sum += static_cast<const float*>(work.values)[index];
  }
  sum = block_sum(sum, room);
  if (threadIdx.x == 0) {
    auto* const result = static_cast<float*>(work.result);
    *result = (work.adds ? *result : 0.0F) + static_cast<float>(sum * work.scale);
  }
}

}  // namespace

void cross_entropy(const CrossEntropy& work, Stream stream) {
  lose<<<static_cast<unsigned>(work.rows), threads, 0, stream>>>(work);
  check_cuda(cudaGetLastError(), "cross_entropy");
}

void scaled_sum(const ScaledSum& work, Stream stream) {
  add_up<<<1, 1024, 0, stream>>>(work);
  check_cuda(cudaGetLastError(), "scaled_sum");
}

}  // namespace etalon::kernels::cuda
