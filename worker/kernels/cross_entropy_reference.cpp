// SPDX-License-Identifier: Apache-2.0
// The CPU twins of the loss kernels.
#include "worker/kernels/cross_entropy.h"

#include <algorithm>
#include <cmath>

#include "worker/kernels/catalog.h"

namespace etalon::kernels::reference {
namespace {

template <class Element>
void loss_of_row(const CrossEntropy& work, std::int64_t row) {
  using Real = Wide<Element>;
  Element* const logits = static_cast<Element*>(work.logits) + row * work.classes;
  const std::int64_t target = static_cast<const std::int64_t*>(work.targets)[row];
  Real& loss = static_cast<Real*>(work.losses)[row];
  if (target < 0) {
    loss = 0;
    std::fill_n(logits, work.wants_gradient ? work.classes : 0, Element(0));
    return;
  }
  Real largest = widen(logits[0]);
  for (std::int64_t index = 1; index < work.classes; ++index) {
    largest = std::max(largest, widen(logits[index]));
  }
  Real sum = 0;
  for (std::int64_t index = 0; index < work.classes; ++index) {
    sum += std::exp(widen(logits[index]) - largest);
  }
  loss = std::log(sum) + largest - widen(logits[target]);
  if (work.wants_gradient) {
    for (std::int64_t index = 0; index < work.classes; ++index) {
      const Real probability = std::exp(widen(logits[index]) - largest) / sum;
      logits[index] = Element((probability - (index == target ? 1 : 0)) * static_cast<Real>(work.scale));
    }
  }
}

}  // namespace

void cross_entropy(const CrossEntropy& work, Stream) {
  with_number(work.number, [&](auto element) {
    for (std::int64_t row = 0; row < work.rows; ++row) {
      loss_of_row<decltype(element)>(work, row);
    }
  });
}

void scaled_sum(const ScaledSum& work, Stream) {
  with_number(work.number, [&](auto element) {
    using Real = Wide<decltype(element)>;
    Real sum = 0;
    for (std::int64_t index = 0; index < work.count; ++index) {
      sum += static_cast<const Real*>(work.values)[index];
    }
    auto* const result = static_cast<Real*>(work.result);
    *result = (work.adds ? *result : Real{0}) + sum * static_cast<Real>(work.scale);
  });
}

}  // namespace etalon::kernels::reference
