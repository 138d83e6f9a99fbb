// SPDX-License-Identifier: Apache-2.0
// The CPU twins of the rotary kernels.
#include "worker/kernels/rotary.h"

#include "worker/kernels/catalog.h"

namespace etalon::kernels::reference {
namespace {

template <class Element>
void turn_head(const Rotary& work, Element* head, std::int64_t position) {
  using Real = Wide<Element>;
  const std::int64_t half = work.head_width / 2;
  for (std::int64_t index = 0; index < half; ++index) {
    const Real cosine = static_cast<const Real*>(work.cosine)[position * half + index];
    const Real sine = static_cast<const Real*>(work.sine)[position * half + index] * (work.backward ? -1 : 1);
    const Real first = widen(head[index]);
    const Real second = widen(head[index + half]);
    head[index] = Element(first * cosine - second * sine);
    head[index + half] = Element(second * cosine + first * sine);
  }
}

template <class Element>
void turn_row(const Rotary& work, std::int64_t row) {
  using Real = Wide<Element>;
  const std::int64_t columns = (work.heads + 2 * work.key_value_heads) * work.head_width;
  Element* const packed = static_cast<Element*>(work.packed) + row * columns;
  if (work.bias != nullptr && !work.backward) {
    for (std::int64_t column = 0; column < columns; ++column) {
      packed[column] = Element(widen(packed[column]) + static_cast<const Real*>(work.bias)[column]);
    }
  }
  for (std::int64_t head = 0; head < work.heads + work.key_value_heads; ++head) {
    turn_head(work, packed + head * work.head_width, row % work.context);
  }
}

}  // namespace

void rotary(const Rotary& work, Stream) {
  with_number(work.number, [&](auto element) {
    for (std::int64_t row = 0; row < work.rows; ++row) {
      turn_row<decltype(element)>(work, row);
    }
  });
}

void column_sums(const ColumnSums& work, Stream) {
  with_number(work.number, [&](auto element) {
    using Element = decltype(element);
    auto* const sums = static_cast<Wide<Element>*>(work.sums);
    for (std::int64_t column = 0; column < work.columns; ++column) {
      Wide<Element> sum = work.adds ? sums[column] : 0;
      for (std::int64_t row = 0; row < work.rows; ++row) {
        sum += widen(static_cast<const Element*>(work.matrix)[row * work.columns + column]);
      }
      sums[column] = sum;
    }
  });
}

}  // namespace etalon::kernels::reference
