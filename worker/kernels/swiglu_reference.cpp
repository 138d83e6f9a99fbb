// SPDX-License-Identifier: Apache-2.0
// The CPU twins of SwiGLU's kernels.
#include "worker/kernels/swiglu.h"

#include <cmath>

#include "worker/kernels/catalog.h"

namespace etalon::kernels::reference {

void swiglu_forward(const SwiGluForward& work, Stream) {
  with_number(work.number, [&](auto element) {
    using Element = decltype(element);
    using Real = Wide<Element>;
    for (std::int64_t index = 0; index < work.rows * work.width; ++index) {
      const std::int64_t row = index / work.width;
      const auto* const gate = static_cast<const Element*>(work.gate_up) + row * work.width + index;
      const Real value = widen(*gate);
      static_cast<Element*>(work.product)[index] = Element(value / (1 + std::exp(-value)) * widen(gate[work.width]));
    }
  });
}

void swiglu_backward(const SwiGluBackward& work, Stream) {
  with_number(work.number, [&](auto element) {
    using Element = decltype(element);
    using Real = Wide<Element>;
    for (std::int64_t index = 0; index < work.rows * work.width; ++index) {
      const std::int64_t place = index / work.width * work.width + index;
      const auto* const gate = static_cast<const Element*>(work.gate_up) + place;
      auto* const result = static_cast<Element*>(work.gate_up_gradient) + place;
      const Real value = widen(*gate);
      const Real up = widen(gate[work.width]);
      const Real gradient = widen(static_cast<const Element*>(work.product_gradient)[index]);
      const Real sigmoid = 1 / (1 + std::exp(-value));
      result[0] = Element(gradient * up * sigmoid * (1 + value * (1 - sigmoid)));
      result[work.width] = Element(gradient * value * sigmoid);
    }
  });
}

}  // namespace etalon::kernels::reference
