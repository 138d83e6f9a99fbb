// SPDX-License-Identifier: Apache-2.0
// Softmax cross-entropy on rows of logits, which become their own gradient in place.
#pragma once

#include "worker/kernels/number.h"

namespace etalon::kernels {

/// losses[row] = log Σ exp(logits) − logits[target]; logits[row] = scale · (softmax − one-hot). A negative target
/// counts nothing:
/// loss and gradient are zero.
struct CrossEntropy {
  Number number = Number::f32;
  std::int64_t rows = 0;
  std::int64_t classes = 0;  ///< on a GPU a multiple of 8
  double scale = 1;
  bool wants_gradient = true;     ///< otherwise logits are left alone
  const void* targets = nullptr;  ///< int64
  void* logits = nullptr;
  void* losses = nullptr;  ///< wide
};

/// result = scale · Σ values, added to what is there when `adds`.
struct ScaledSum {
  Number number = Number::f32;  ///< f32 or f64
  std::int64_t count = 0;
  double scale = 1;
  bool adds = false;
  const void* values = nullptr;
  void* result = nullptr;
};

}  // namespace etalon::kernels
