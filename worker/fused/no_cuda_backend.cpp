// SPDX-License-Identifier: Apache-2.0
// Stands in for the GPU's part where the worker is built without nvcc or without cuDNN's graph headers: refuses.
#include "worker/failure.h"
#include "worker/fused/backend.h"

namespace etalon::fused {

std::unique_ptr<Backend> make_cuda_backend(const at::Device&) {
  throw worker::unsupported(
      "the fused execution on a GPU is not part of this build: nvcc or cudnn_frontend.h was missing",
      "run ./bootstrap build on a machine with a network, or set engine.execution=plain");
}

}  // namespace etalon::fused
