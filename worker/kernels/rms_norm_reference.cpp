// SPDX-License-Identifier: Apache-2.0
// The CPU twins of the normalisation's kernels.
#include "worker/kernels/rms_norm.h"

#include <cmath>

#include "worker/kernels/catalog.h"

namespace etalon::kernels::reference {
namespace {

template <class Element>
void forward_row(const RmsNormForward& work, std::int64_t row) {
  using Real = Wide<Element>;
  const auto* const x = static_cast<const Element*>(work.x) + row * work.width;
  const auto* const weight = static_cast<const Real*>(work.weight);
  const Element* source = x;
  if (work.delta != nullptr) {
    const auto* const delta = static_cast<const Element*>(work.delta) + row * work.width;
    auto* const sum = static_cast<Element*>(work.sum) + row * work.width;
    for (std::int64_t column = 0; column < work.width; ++column) {
      sum[column] = Element(widen(x[column]) + widen(delta[column]));
    }
    source = sum;
  }
  Real squares = 0;
  for (std::int64_t column = 0; column < work.width; ++column) {
    squares += widen(source[column]) * widen(source[column]);
  }
  const Real inverse = 1 / std::sqrt(squares / static_cast<Real>(work.width) + static_cast<Real>(work.epsilon));
  static_cast<Real*>(work.inverse)[row] = inverse;
  auto* const normal = static_cast<Element*>(work.normal) + row * work.width;
  for (std::int64_t column = 0; column < work.width; ++column) {
    normal[column] = Element(widen(source[column]) * inverse * weight[column]);
  }
}

template <class Element>
void backward_row(const RmsNormBackward& work, std::int64_t row) {
  using Real = Wide<Element>;
  const auto* const sum = static_cast<const Element*>(work.sum) + row * work.width;
  const auto* const gradient = static_cast<const Element*>(work.normal_gradient) + row * work.width;
  const auto* const weight = static_cast<const Real*>(work.weight);
  const Real inverse = static_cast<const Real*>(work.inverse)[row];
  Real product = 0;
  for (std::int64_t column = 0; column < work.width; ++column) {
    product += widen(gradient[column]) * weight[column] * widen(sum[column]);
  }
  const Real projection = product * inverse * inverse / static_cast<Real>(work.width);
  auto* const x_gradient = static_cast<Element*>(work.x_gradient) + row * work.width;
  const auto* const passing = static_cast<const Element*>(work.sum_gradient);
  auto* const weight_gradient = static_cast<Real*>(work.weight_gradient);
  for (std::int64_t column = 0; column < work.width; ++column) {
    const Real own = inverse * (widen(gradient[column]) * weight[column] - widen(sum[column]) * projection);
    const Real other = passing == nullptr ? Real{0} : widen(passing[row * work.width + column]);
    if (weight_gradient != nullptr) {
      weight_gradient[column] += widen(gradient[column]) * widen(sum[column]) * inverse;
    }
    x_gradient[column] = Element(own + other);
  }
}

}  // namespace

void rms_norm_forward(const RmsNormForward& work, Stream) {
  with_number(work.number, [&](auto element) {
    for (std::int64_t row = 0; row < work.rows; ++row) {
      forward_row<decltype(element)>(work, row);
    }
  });
}

void rms_norm_backward(const RmsNormBackward& work, Stream) {
  with_number(work.number, [&](auto element) {
    using Element = decltype(element);
    if (work.weight_gradient != nullptr && !work.adds_weight) {
      for (std::int64_t column = 0; column < work.width; ++column) {
        static_cast<Wide<Element>*>(work.weight_gradient)[column] = 0;
      }
    }
    for (std::int64_t row = 0; row < work.rows; ++row) {
      backward_row<Element>(work, row);
    }
  });
}

}  // namespace etalon::kernels::reference
