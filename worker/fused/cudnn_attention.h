// SPDX-License-Identifier: Apache-2.0
// Causal attention on a GPU by cuDNN's graphs, straight on packed rows: nothing is permuted or copied, and gradients of
// queries, keys and values come out packed too.
#pragma once

#include <memory>

#include "base/json.h"
#include "worker/kernels/attention.h"

namespace etalon::fused {

class CudnnAttention {
 public:
  /// LibTorch's CUDA part must be loaded. Throws worker::Failure where cuDNN is missing.
  CudnnAttention();
  ~CudnnAttention();

  /// Throws worker::Failure for a shape that cuDNN does not serve.
  void prepare(const kernels::AttentionShape& shape);
  std::int64_t scratch_bytes(const kernels::AttentionShape& shape) const;
  void forward(const kernels::AttentionForward& work, void* scratch, kernels::Stream stream) const;
  void backward(const kernels::AttentionBackward& work, void* scratch, kernels::Stream stream) const;
  base::Json description() const;

 private:
  class Library;
  std::unique_ptr<Library> library_;
};

}  // namespace etalon::fused
