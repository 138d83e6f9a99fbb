// SPDX-License-Identifier: Apache-2.0
// The CPU twins of the optimiser's kernels.
#include "worker/kernels/adamw.h"

#include <algorithm>
#include <cmath>

#include "worker/kernels/catalog.h"

namespace etalon::kernels::reference {

void set_learning_rate(const SetLearningRate& work, Stream) { work.state->learning_rate = work.learning_rate; }

void sum_of_squares(const SumOfSquares& work, Stream) {
  std::fill_n(work.partial, square_blocks, 0.0);
  with_number(work.number, [&](auto element) {
    using Element = decltype(element);
    for (std::int64_t index = 0; index < work.count; ++index) {
      const auto value = static_cast<double>(widen(static_cast<const Element*>(work.gradient)[index]));
      work.partial[0] += value * value;
    }
  });
}

void prepare_update(const PrepareUpdate& work, Stream) {
  double squares = 0;
  for (std::int64_t index = 0; index < work.partials; ++index) {
    squares += work.partial[index];
  }
  UpdateState& state = *work.state;
  ++state.step;
  state.norm = std::sqrt(squares);
  state.scale = work.clip > 0 ? std::min(1.0, work.clip / (state.norm + 1e-6)) : 1.0;
  state.step_size = state.learning_rate / (1 - std::pow(work.beta1, static_cast<double>(state.step)));
  state.root_factor = 1 / std::sqrt(1 - std::pow(work.beta2, static_cast<double>(state.step)));
}

namespace {

template <class Gradient, class Real>
void update(const AdamW& work, std::int64_t index) {
  const UpdateState& state = *work.state;
  const Real gradient =
      static_cast<Real>(widen(static_cast<const Gradient*>(work.gradient)[index])) * static_cast<Real>(state.scale);
  Real& weight = static_cast<Real*>(work.master)[index];
  Real& first = static_cast<Real*>(work.first_moment)[index];
  Real& second = static_cast<Real*>(work.second_moment)[index];
  weight *= static_cast<Real>(1 - state.learning_rate * work.decay);
  first += (gradient - first) * static_cast<Real>(1 - work.beta1);
  second = static_cast<Real>(work.beta2) * second + static_cast<Real>(1 - work.beta2) * gradient * gradient;
  const Real root = std::sqrt(second) * static_cast<Real>(state.root_factor);
  weight -= static_cast<Real>(state.step_size) * first / (root + static_cast<Real>(work.epsilon));
  if (work.copy != nullptr) {
    static_cast<BFloat16*>(work.copy)[index] = BFloat16(static_cast<float>(weight));
  }
}

}  // namespace

void adamw(const AdamW& work, Stream) {
  with_number(work.gradient_number, [&](auto gradient) {
    with_number(work.master_number, [&](auto master) {
      for (std::int64_t index = 0; index < work.count; ++index) {
        update<decltype(gradient), Wide<decltype(master)>>(work, index);
      }
    });
  });
}

}  // namespace etalon::kernels::reference
