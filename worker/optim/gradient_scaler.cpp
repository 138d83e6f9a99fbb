// SPDX-License-Identifier: Apache-2.0
// ATen's own operations for mixed precision.
#include "worker/optim/gradient_scaler.h"

#include <c10/core/GradMode.h>

#include "worker/optim/gradients.h"

namespace etalon::optim {

GradientScaler::GradientScaler(const at::Device& device, double scale, std::int64_t interval)
    : interval_(interval),
      scale_(at::full({}, scale, at::TensorOptions(at::kFloat).device(device))),
      clean_steps_(at::zeros({}, at::TensorOptions(at::kInt).device(device))),
      skipped_(at::zeros({}, at::TensorOptions(at::kFloat).device(device))) {}

at::Tensor GradientScaler::unscale(const std::vector<at::Tensor>& parameters) {
  const c10::NoGradGuard no_gradient;
  at::Tensor overflow = at::zeros_like(scale_);
  at::_amp_foreach_non_finite_check_and_unscale_(gradients_of(parameters), overflow, scale_.reciprocal());
  return overflow;
}

void GradientScaler::adapt(const at::Tensor& overflow) {
  const c10::NoGradGuard no_gradient;
  skipped_.add_(overflow);
  at::_amp_update_scale_(scale_, clean_steps_, overflow, /*scale_growth_factor=*/2.0, /*scale_backoff_factor=*/0.5,
                         interval_);
}

double GradientScaler::scale() const { return scale_.item<float>(); }

std::int64_t GradientScaler::skipped_steps() const { return static_cast<std::int64_t>(skipped_.item<float>()); }

}  // namespace etalon::optim
