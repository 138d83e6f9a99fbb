// SPDX-License-Identifier: Apache-2.0
// Mixes each index and adds all results up, modulo 2^32, so the order of the additions does not matter.
#include "worker/kernels/self_check.h"
#include "worker/kernels/self_check_mix.h"

namespace etalon::kernels {
namespace {

__global__ void sum_of_mixes(std::uint32_t* sum) {
  const auto index = static_cast<std::uint32_t>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(sum, mix(index));
}

SelfCheckResult failed(cudaError_t error) { return {static_cast<int>(error), cudaGetErrorString(error), 0}; }

}  // namespace

SelfCheckResult run_self_check() {
  constexpr int threads = 256;
  std::uint32_t* sum = nullptr;
  SelfCheckResult result;
  if (const cudaError_t error = cudaMalloc(&sum, sizeof(*sum)); error != cudaSuccess) {
    return failed(error);
  }
  cudaMemset(sum, 0, sizeof(*sum));
  sum_of_mixes<<<self_check_elements / threads, threads>>>(sum);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) {
    error = cudaMemcpy(&result.checksum, sum, sizeof(*sum), cudaMemcpyDeviceToHost);
  }
  cudaFree(sum);
  return error == cudaSuccess ? result : failed(error);
}

const char* built_architectures() { return ETALON_CUDA_ARCHITECTURES; }

}  // namespace etalon::kernels
