// SPDX-License-Identifier: Apache-2.0
// The one way in which this folder adds doubles: four lanes in short blocks, blocks combined as a binary tree. The order
// depends on the count alone, so the bits do too; the error grows with log n instead of n (Higham 1993).
#pragma once

#include <cfloat>
#include <cstddef>

namespace etalon::statistics {

static_assert(FLT_EVAL_METHOD == 0,
              "intermediate results must be IEEE doubles, or figures would differ between machines");

/// Σ term(i) for i in [first, first + count).
template <typename Term>
double pairwise_sum(std::size_t first, std::size_t count, const Term& term) {
  constexpr std::size_t block = 128;
  if (count > block) {
    const std::size_t half = count / 2;
    const double left = pairwise_sum(first, half, term);
    return left + pairwise_sum(first + half, count - half, term);
  }
  double lanes[4] = {0, 0, 0, 0};
  std::size_t index = 0;
  for (; index + 4 <= count; index += 4) {
    lanes[0] += term(first + index);
    lanes[1] += term(first + index + 1);
    lanes[2] += term(first + index + 2);
    lanes[3] += term(first + index + 3);
  }
  for (; index < count; ++index) lanes[0] += term(first + index);
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

}  // namespace etalon::statistics
