// SPDX-License-Identifier: Apache-2.0
// Where operations run: our kernels or their CPU twins, matrix products, attention, and recording for replay.
#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <memory>

#include "base/json.h"
#include "worker/kernels/attention.h"
#include "worker/kernels/catalog.h"
#include "worker/kernels/matrix_product.h"

namespace etalon::fused {

/// Work that was recorded once and is then repeated with the same addresses.
class Recording {
 public:
  virtual ~Recording() = default;
  /// Enqueues the work and waits for nothing.
  virtual void run() = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual at::Device device() const = 0;
  virtual const kernels::Kernels& kernels() const = 0;
  virtual kernels::Stream stream() const = 0;

  /// Chooses an algorithm for a shape, once; takes time and memory, so before the first step only.
  virtual void prepare(const kernels::ProductShape& shape) = 0;
  virtual std::int64_t scratch_bytes(const kernels::ProductShape& shape) const = 0;
  virtual void multiply(const kernels::Product& work, void* scratch) = 0;

  virtual void prepare(const kernels::AttentionShape& shape) = 0;
  virtual std::int64_t scratch_bytes(const kernels::AttentionShape& shape) const = 0;
  virtual void attend(const kernels::AttentionForward& work, void* scratch) = 0;
  virtual void attend(const kernels::AttentionBackward& work, void* scratch) = 0;

  /// `work` runs here and now at least once, so it must be harmless.
  virtual std::unique_ptr<Recording> record(const std::function<void()>& work) = 0;
  /// Mean duration of `work` repeated back to back, after one run that does not count; waits for the device.
  virtual double milliseconds(const std::function<void()>& work, int repetitions) = 0;
  /// What was chosen, for the dossier.
  virtual base::Json description() const = 0;
};

/// The CPU twins; every number format.
std::unique_ptr<Backend> make_cpu_backend();

/// Our kernels, cuBLASLt and cuDNN on one GPU, elements in bf16. Throws worker::Failure where this build has none of
/// them.
std::unique_ptr<Backend> make_cuda_backend(const at::Device& device);

}  // namespace etalon::fused
