// SPDX-License-Identifier: Apache-2.0
// Dynamic scaling of the loss for float16, whose gradients would underflow: everything stays on the device, so that no
// step waits for the verdict on the one before.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace etalon::optim {

class GradientScaler {
 public:
  explicit GradientScaler(const at::Device& device, double scale = 65536, std::int64_t interval = 2000);

  at::Tensor scaled(const at::Tensor& loss) const { return loss * scale_; }
  /// Divides the gradients by the scale; 1 when one of them is not finite, else 0, as a scalar on the device.
  at::Tensor unscale(const std::vector<at::Tensor>& parameters);
  /// After the update: an overflow halves the scale, `interval` clean steps in a row double it.
  void adapt(const at::Tensor& overflow);

  /// Both wait for the device.
  double scale() const;
  std::int64_t skipped_steps() const;

 private:
  std::int64_t interval_;
  at::Tensor scale_;
  at::Tensor clean_steps_;
  at::Tensor skipped_;
};

}  // namespace etalon::optim
