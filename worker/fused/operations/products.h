// SPDX-License-Identifier: Apache-2.0
// The three products of every linear layer.
#pragma once

#include <algorithm>

#include "worker/fused/operation.h"

namespace etalon::fused {

struct LinearShape {
  Number number = Number::f32;
  Number gradient = Number::f32;  ///< of the weight's gradient
  std::int64_t rows = 0;
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
};

/// result[rows, outputs] = x · weightᵀ
inline kernels::ProductShape forward_product(const LinearShape& of) {
  return {.number = of.number,
          .result = of.number,
          .rows = of.rows,
          .columns = of.outputs,
          .inner = of.inputs,
          .transpose_right = true};
}

/// x_gradient[rows, inputs] = result_gradient · weight
inline kernels::ProductShape input_product(const LinearShape& of, bool adds) {
  return {.number = of.number,
          .result = of.number,
          .rows = of.rows,
          .columns = of.inputs,
          .inner = of.outputs,
          .adds = adds};
}

/// weight_gradient[outputs, inputs] = result_gradientᵀ · x
inline kernels::ProductShape weight_product(const LinearShape& of, bool adds) {
  return {.number = of.number,
          .result = of.gradient,
          .rows = of.outputs,
          .columns = of.inputs,
          .inner = of.rows,
          .transpose_left = true,
          .adds = adds};
}

inline void prepare_products(Backend& backend, const LinearShape& of) {
  backend.prepare(forward_product(of));
  for (const bool adds : {false, true}) {
    backend.prepare(input_product(of, adds));
    backend.prepare(weight_product(of, adds));
  }
}

inline std::int64_t product_scratch_bytes(const Backend& backend, const LinearShape& of) {
  return std::max({backend.scratch_bytes(forward_product(of)), backend.scratch_bytes(input_product(of, false)),
                   backend.scratch_bytes(input_product(of, true)), backend.scratch_bytes(weight_product(of, false)),
                   backend.scratch_bytes(weight_product(of, true))});
}

}  // namespace etalon::fused
