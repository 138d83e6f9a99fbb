// SPDX-License-Identifier: Apache-2.0
// Sums of two gradients, and copies between number formats.
#pragma once

#include "worker/kernels/number.h"

namespace etalon::kernels {

/// result = first + second; result may be one of them.
struct Add {
  Number number = Number::f32;
  std::int64_t count = 0;  ///< on a GPU a multiple of 8
  const void* first = nullptr;
  const void* second = nullptr;
  void* result = nullptr;
};

/// The working copy of master weights. On a GPU f32 becomes bf16.
struct Convert {
  Number from = Number::f32;
  Number to = Number::bf16;
  std::int64_t count = 0;  ///< on a GPU a multiple of 8
  const void* source = nullptr;
  void* result = nullptr;
};

}  // namespace etalon::kernels
