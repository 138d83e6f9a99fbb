// SPDX-License-Identifier: Apache-2.0
// Stands in for the CUDA files where the worker is built without nvcc: says so instead of checking.
#include "worker/kernels/catalog.h"
#include "worker/kernels/self_check.h"

namespace etalon::kernels {

SelfCheckResult run_self_check() { return {no_kernels_built, "built without CUDA kernels", 0}; }

const char* built_architectures() { return ""; }

const Kernels* cuda_kernels() { return nullptr; }

}  // namespace etalon::kernels
