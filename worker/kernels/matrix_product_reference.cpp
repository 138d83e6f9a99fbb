// SPDX-License-Identifier: Apache-2.0
// Row by row, with the right factor laid out so that the innermost loop runs along memory.
#include "worker/kernels/matrix_product.h"

#include <vector>

namespace etalon::kernels::reference {
namespace {

/// The factor as [rows, columns] in wide numbers, whichever way it is stored.
template <class Element>
std::vector<Wide<Element>> laid_out(const void* data, std::int64_t rows, std::int64_t columns, bool transposed) {
  std::vector<Wide<Element>> matrix(static_cast<std::size_t>(rows * columns));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::int64_t place = transposed ? column * rows + row : row * columns + column;
      matrix[static_cast<std::size_t>(row * columns + column)] = widen(static_cast<const Element*>(data)[place]);
    }
  }
  return matrix;
}

}  // namespace

void multiply(const Product& work) {
  const ProductShape& shape = work.shape;
  with_number(shape.number, [&](auto element) {
    with_number(shape.result, [&](auto result_element) {
      using Real = Wide<decltype(element)>;
      using Result = decltype(result_element);
      const std::vector<Real> left =
          laid_out<decltype(element)>(work.left, shape.rows, shape.inner, shape.transpose_left);
      const std::vector<Real> right =
          laid_out<decltype(element)>(work.right, shape.inner, shape.columns, shape.transpose_right);
      std::vector<Real> sums(static_cast<std::size_t>(shape.columns));
      for (std::int64_t row = 0; row < shape.rows; ++row) {
        auto* const result = static_cast<Result*>(work.result) + row * shape.columns;
        for (std::int64_t column = 0; column < shape.columns; ++column) {
          sums[static_cast<std::size_t>(column)] = shape.adds ? static_cast<Real>(widen(result[column])) : Real{0};
        }
        for (std::int64_t inner = 0; inner < shape.inner; ++inner) {
          const Real factor = left[static_cast<std::size_t>(row * shape.inner + inner)];
          const Real* const line = right.data() + inner * shape.columns;
          for (std::int64_t column = 0; column < shape.columns; ++column) {
            sums[static_cast<std::size_t>(column)] += factor * line[column];
          }
        }
        for (std::int64_t column = 0; column < shape.columns; ++column) {
          result[column] = Result(static_cast<Wide<Result>>(sums[static_cast<std::size_t>(column)]));
        }
      }
    });
  });
}

}  // namespace etalon::kernels::reference
