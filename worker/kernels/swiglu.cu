// SPDX-License-Identifier: Apache-2.0
// Eight elements a thread.
#include "worker/kernels/catalog.h"
#include "worker/kernels/eight.cuh"

namespace etalon::kernels::cuda {
namespace {

constexpr int threads = 256;

__device__ inline float sigmoid(float value) { return __fdividef(1.0F, 1.0F + __expf(-value)); }

__global__ void __launch_bounds__(threads) multiply_gated(const SwiGluForward work) {
  const auto groups = static_cast<unsigned>(work.width / 8);
  const unsigned index = blockIdx.x * threads + threadIdx.x;
  if (index >= static_cast<unsigned>(work.rows) * groups) return;
  const std::int64_t place = static_cast<std::int64_t>(index) + static_cast<std::int64_t>(index / groups) * groups;
  Eight gate = load_bf16(work.gate_up, place);
  const Eight up = load_bf16(work.gate_up, place + groups);
#pragma unroll
  for (int element = 0; element < 8; ++element) {
    gate.value[element] *= sigmoid(gate.value[element]) * up.value[element];
  }
  store_bf16(work.product, index, gate);
}

__global__ void __launch_bounds__(threads) spread_gated(const SwiGluBackward work) {
  const auto groups = static_cast<unsigned>(work.width / 8);
  const unsigned index = blockIdx.x * threads + threadIdx.x;
  if (index >= static_cast<unsigned>(work.rows) * groups) return;
  const std::int64_t place = static_cast<std::int64_t>(index) + static_cast<std::int64_t>(index / groups) * groups;
  const Eight gate = load_bf16(work.gate_up, place);
  const Eight up = load_bf16(work.gate_up, place + groups);
  const Eight gradient = load_bf16(work.product_gradient, index);
  Eight gate_gradient, up_gradient;
#pragma unroll
  for (int element = 0; element < 8; ++element) {
    const float value = gate.value[element];
    const float share = sigmoid(value);
    up_gradient.value[element] = gradient.value[element] * value * share;
    gate_gradient.value[element] =
        gradient.value[element] * up.value[element] * share * (1.0F + value * (1.0F - share));
  }
  store_bf16(work.gate_up_gradient, place, gate_gradient);
  store_bf16(work.gate_up_gradient, place + groups, up_gradient);
}

}  // namespace

void swiglu_forward(const SwiGluForward& work, Stream stream) {
  multiply_gated<<<blocks_for(work.rows * work.width / 8, threads), threads, 0, stream>>>(work);
  check_cuda(cudaGetLastError(), "swiglu_forward");
}

void swiglu_backward(const SwiGluBackward& work, Stream stream) {
  spread_gated<<<blocks_for(work.rows * work.width / 8, threads), threads, 0, stream>>>(work);
  check_cuda(cudaGetLastError(), "swiglu_backward");
}

}  // namespace etalon::kernels::cuda
