// SPDX-License-Identifier: Apache-2.0
// What CUDA says, turned into the worker's exception.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "worker/failure.h"

namespace etalon::kernels {

/// Throws worker::Failure naming what was tried.
inline void check_cuda(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    throw worker::Failure("internal", std::string(what) + ": " + cudaGetErrorString(error),
                          "look for messages of the driver (dmesg | grep -i nvrm), then try again");
  }
}

/// Mean time between two events around `repetitions` of `work` on the default stream, after one that does not count.
template <class Work>
double milliseconds_of(const Work& work, int repetitions) {
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  check_cuda(cudaEventCreate(&begin), "cudaEventCreate");
  check_cuda(cudaEventCreate(&end), "cudaEventCreate");
  work();
  check_cuda(cudaEventRecord(begin, nullptr), "cudaEventRecord");
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    work();
  }
  check_cuda(cudaEventRecord(end, nullptr), "cudaEventRecord");
  check_cuda(cudaEventSynchronize(end), "cudaEventSynchronize");
  float ms = 0;
  check_cuda(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return static_cast<double>(ms) / repetitions;
}

}  // namespace etalon::kernels
