// SPDX-License-Identifier: Apache-2.0
// Linear layers in FP8: E4M3 operands with one scale per tensor, made anew from the largest magnitude each time, in the
// forward product and in both backward products. On a GPU by its tensor cores; elsewhere emulated in float32.
#pragma once

#include <ATen/ATen.h>

#include "worker/models/linear.h"

namespace etalon::precision {

/// A tensor in E4M3 and the float32 scalar that gives its values back.
struct ScaledFp8 {
  at::Tensor values;
  at::Tensor scale;
};

/// scale = max|x| / 448, in float32; values = x / scale, rounded to nearest even, saturating.
ScaledFp8 quantise_fp8(const at::Tensor& x);
at::Tensor dequantise_fp8(const ScaledFp8& quantised);

/// left [m, k] · rightᵀ, right [n, k] and contiguous, in `type`. k and n are multiples of 16.
at::Tensor multiply_fp8(const ScaledFp8& left, const ScaledFp8& right, at::ScalarType type);

/// Refuses GPUs without FP8 tensor cores (below compute capability 8.9).
void require_fp8(const at::Device& device);

/// Gives bfloat16 whatever x is; gradients of the weight in the weight's type. Throws worker::Failure when an extent is
/// no multiple of 16, as tensor cores want it.
models::LinearPtr make_fp8_linear(const models::LinearPlace& place, at::Tensor weight, at::Tensor bias);

}  // namespace etalon::precision
