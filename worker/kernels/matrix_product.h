// SPDX-License-Identifier: Apache-2.0
// Matrix products of row-major matrices; the CPU twin. On a GPU cuBLASLt computes the same.
#pragma once

#include "worker/kernels/number.h"

namespace etalon::kernels {

/// What a plan is made for. All matrices are row-major and dense.
struct ProductShape {
  Number number = Number::f32;  ///< of the factors
  Number result = Number::f32;
  std::int64_t rows = 0;     ///< of the result
  std::int64_t columns = 0;  ///< of the result
  std::int64_t inner = 0;
  bool transpose_left = false;   ///< left is stored [inner, rows]
  bool transpose_right = false;  ///< right is stored [columns, inner]
  bool adds = false;             ///< onto the result

  bool operator==(const ProductShape&) const = default;
  double flops() const {
    return 2.0 * static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(inner);
  }
};

struct Product {
  ProductShape shape;
  const void* left = nullptr;
  const void* right = nullptr;
  void* result = nullptr;
};

namespace reference {
void multiply(const Product& work);
}

}  // namespace etalon::kernels
