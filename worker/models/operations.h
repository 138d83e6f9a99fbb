// SPDX-License-Identifier: Apache-2.0
// The operations of a transformer that ATen has only in pieces: each with a backward of its own that keeps fewer
// intermediates than the recorded pieces would. Any device and dtype.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace etalon::models {

/// weight · x / sqrt(mean(x²) + epsilon) over the last dimension.
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon);

/// silu(gate) · up.
at::Tensor swiglu(const at::Tensor& gate, const at::Tensor& up);

/// cos and sin of position · theta^(-2i/d), shape [context, 1, d/2], computed in double.
struct RotaryTables {
  at::Tensor cosine;
  at::Tensor sine;
};
RotaryTables rotary_tables(std::int64_t context, std::int64_t head_width, double theta,
                           const at::TensorOptions& options);

/// Rotates element i of each head with element i + d/2 (half-split); x is [batch, context, heads, d].
at::Tensor rotate(const at::Tensor& x_BTHD, const RotaryTables& tables);

}  // namespace etalon::models
