// SPDX-License-Identifier: Apache-2.0
// silu(gate) · up, with gate and up side by side in one matrix.
#pragma once

#include "worker/kernels/number.h"

namespace etalon::kernels {

/// gate_up is [rows, 2 · width], gate in the first half; product is [rows, width]. On a GPU width is a multiple of 8.
struct SwiGluForward {
  Number number = Number::f32;
  std::int64_t rows = 0;
  std::int64_t width = 0;
  const void* gate_up = nullptr;
  void* product = nullptr;
};

struct SwiGluBackward {
  Number number = Number::f32;
  std::int64_t rows = 0;
  std::int64_t width = 0;
  const void* gate_up = nullptr;
  const void* product_gradient = nullptr;
  void* gate_up_gradient = nullptr;  ///< may be gate_up itself
};

}  // namespace etalon::kernels
