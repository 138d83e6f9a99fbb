// SPDX-License-Identifier: Apache-2.0
// The CPU twins of the embedding's kernels.
#include "worker/kernels/embedding.h"

#include <algorithm>

#include "worker/kernels/catalog.h"

namespace etalon::kernels::reference {

void embedding_forward(const EmbeddingForward& work, Stream) {
  with_number(work.number, [&](auto element) {
    using Element = decltype(element);
    for (std::int64_t row = 0; row < work.rows; ++row) {
      const std::int64_t token = static_cast<const std::int64_t*>(work.tokens)[row];
      std::copy_n(static_cast<const Element*>(work.table) + token * work.width, work.width,
                  static_cast<Element*>(work.result) + row * work.width);
    }
  });
}

void embedding_backward(const EmbeddingBackward& work, Stream) {
  with_number(work.number, [&](auto element) {
    with_number(work.gradient, [&](auto gradient_element) {
      using Element = decltype(element);
      using Gradient = decltype(gradient_element);
      auto* const table = static_cast<Gradient*>(work.table_gradient);
      if (!work.adds) {
        std::fill_n(table, work.vocabulary * work.width, Gradient(0));
      }
      for (std::int64_t row = 0; row < work.rows; ++row) {
        const std::int64_t token = static_cast<const std::int64_t*>(work.tokens)[row];
        for (std::int64_t column = 0; column < work.width; ++column) {
          Gradient& target = table[token * work.width + column];
          const auto added = widen(static_cast<const Element*>(work.result_gradient)[row * work.width + column]);
          target = Gradient(static_cast<Wide<Gradient>>(widen(target) + static_cast<Wide<Gradient>>(added)));
        }
      }
    });
  });
}

}  // namespace etalon::kernels::reference
