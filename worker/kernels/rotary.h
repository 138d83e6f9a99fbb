// SPDX-License-Identifier: Apache-2.0
// Rotary positions in place on the packed rows that the merged query/key/value projection writes, with that
// projection's bias.
#pragma once

#include "worker/kernels/number.h"

namespace etalon::kernels {

/// Rows are [batch · context, (heads + 2 · key_value_heads) · head_width]: queries, keys, values. First the bias is
/// added, then
/// queries and keys are rotated: element i of a head with element i + head_width / 2.
struct Rotary {
  Number number = Number::f32;
  std::int64_t rows = 0;
  std::int64_t context = 0;
  std::int64_t heads = 0;
  std::int64_t key_value_heads = 0;
  std::int64_t head_width = 0;   ///< on a GPU a multiple of 16
  const void* cosine = nullptr;  ///< wide, [context, head_width / 2]
  const void* sine = nullptr;
  const void* bias = nullptr;  ///< wide; null where there is none
  bool backward = false;       ///< turns the other way; the bias is then left alone
  void* packed = nullptr;
};

/// sums[column] = Σ over rows: the gradient of a bias.
struct ColumnSums {
  Number number = Number::f32;
  std::int64_t rows = 0;
  std::int64_t columns = 0;  ///< on a GPU a multiple of 8
  const void* matrix = nullptr;
  void* sums = nullptr;  ///< wide
  bool adds = false;
  void* scratch = nullptr;
};

inline constexpr std::int64_t column_sum_slices = 64;
constexpr std::int64_t column_sums_scratch_bytes(std::int64_t columns) { return column_sum_slices * columns * 4; }

}  // namespace etalon::kernels
