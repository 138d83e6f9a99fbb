// SPDX-License-Identifier: Apache-2.0
// Matrix products on a GPU: every algorithm that cuBLASLt suggests for a shape is timed on it, and the fastest is kept.
#pragma once

#include <filesystem>
#include <memory>

#include "base/json.h"
#include "worker/kernels/matrix_product.h"

namespace etalon::fused {

class CublasLt {
 public:
  /// Measured choices are read from and added to a file whose name begins with `cache` (good for one card and driver)
  /// and ends with the library's version; empty: none.
  /// LibTorch's CUDA part must be loaded. Throws worker::Failure where cuBLASLt is missing.
  explicit CublasLt(std::filesystem::path cache);
  ~CublasLt();

  /// Chooses the algorithm for a shape, whether or not it adds. Waits for the device.
  void prepare(const kernels::ProductShape& shape);
  std::int64_t scratch_bytes(const kernels::ProductShape& shape) const;
  /// Only of shapes that were prepared.
  void multiply(const kernels::Product& work, void* scratch, kernels::Stream stream) const;
  /// How many shapes, how many read from the cache, and what timing gained over the first suggestion.
  base::Json description() const;

  struct Timing {
    kernels::ProductShape shape;
    double best_ms = 0;
    double first_ms = 0;
    int candidates = 0;
  };
  std::vector<Timing> timings() const;

 private:
  class Library;
  std::unique_ptr<Library> library_;
};

}  // namespace etalon::fused
