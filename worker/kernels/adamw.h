// SPDX-License-Identifier: Apache-2.0
// AdamW over one flat buffer of all parameters of a kind, with norm and clipping folded in. Step count and learning
// rate live in device memory, so that a recorded step can be replayed.
#pragma once

#include "worker/kernels/number.h"

namespace etalon::kernels {

/// Lies in device memory.
struct UpdateState {
  double learning_rate = 0;
  std::int64_t step = 0;
  double norm = 0;         ///< of all gradients together, before clipping
  double scale = 1;        ///< what gradients are multiplied by
  double step_size = 0;    ///< learning rate / (1 − beta1^step)
  double root_factor = 1;  ///< 1 / sqrt(1 − beta2^step)
};

struct SetLearningRate {
  double learning_rate = 0;
  UpdateState* state = nullptr;
};

inline constexpr std::int64_t square_blocks = 1056;

/// partial[0 … square_blocks) = sums of squares of a part of the gradients each.
struct SumOfSquares {
  Number number = Number::f32;
  std::int64_t count = 0;  ///< on a GPU a multiple of 8
  const void* gradient = nullptr;
  double* partial = nullptr;
};

/// Advances the step and derives scale and corrections from `partials` partial sums.
struct PrepareUpdate {
  double beta1 = 0;
  double beta2 = 0;
  double clip = 0;  ///< 0: no clipping
  std::int64_t partials = 0;
  const double* partial = nullptr;
  UpdateState* state = nullptr;
};

/// w ← w·(1 − lr·decay); m ← m + (1−beta1)(g−m); v ← beta2·v + (1−beta2)·g²;
/// w ← w − lr/(1−beta1^t) · m / (sqrt(v)/sqrt(1−beta2^t) + epsilon), with g = scale · gradient.
struct AdamW {
  Number gradient_number = Number::f32;
  Number master_number = Number::f32;  ///< of master and moments
  std::int64_t count = 0;              ///< on a GPU a multiple of 8
  double beta1 = 0;
  double beta2 = 0;
  double epsilon = 0;
  double decay = 0;
  const void* gradient = nullptr;
  void* master = nullptr;
  void* first_moment = nullptr;
  void* second_moment = nullptr;
  void* copy = nullptr;  ///< bf16 working copy; null where the master itself is used
  const UpdateState* state = nullptr;
};

}  // namespace etalon::kernels
