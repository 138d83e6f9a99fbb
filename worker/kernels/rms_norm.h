// SPDX-License-Identifier: Apache-2.0
// Root-mean-square normalisation of rows, fused with the addition of what the residual stream gains before it.
#pragma once

#include "worker/kernels/number.h"

namespace etalon::kernels {

/// sum = x + delta; inverse = 1 / sqrt(mean(sum²) + epsilon); normal = weight · sum · inverse.
struct RmsNormForward {
  Number number = Number::f32;  ///< of x, delta, sum and normal; weight and inverse are wide
  std::int64_t rows = 0;
  std::int64_t width = 0;  ///< on a GPU a multiple of 8, at most 8192
  double epsilon = 0;
  const void* x = nullptr;
  const void* delta = nullptr;  ///< null: nothing is added, and sum is not written
  const void* weight = nullptr;
  void* sum = nullptr;
  void* normal = nullptr;
  void* inverse = nullptr;
};

/// x_gradient = sum_gradient + inverse · (g − sum · inverse² · mean(g · sum)) with g = normal_gradient · weight;
/// weight_gradient = Σ over rows of normal_gradient · sum · inverse.
struct RmsNormBackward {
  Number number = Number::f32;
  std::int64_t rows = 0;
  std::int64_t width = 0;
  const void* sum = nullptr;
  const void* weight = nullptr;
  const void* inverse = nullptr;
  const void* normal_gradient = nullptr;
  const void* sum_gradient = nullptr;  ///< null when nothing else reads the residual stream
  void* x_gradient = nullptr;
  void* weight_gradient = nullptr;  ///< wide; null when the weight is not trained
  bool adds_weight = false;
  void* scratch = nullptr;
};

/// Blocks of a GPU that share the rows, each with a row of partial sums in the scratch memory.
inline constexpr std::int64_t rms_norm_blocks = 528;
constexpr std::int64_t rms_norm_scratch_bytes(std::int64_t width) { return rms_norm_blocks * width * 4; }

}  // namespace etalon::kernels
