// SPDX-License-Identifier: Apache-2.0
// Rows of a table by token, and the sum of gradients back into that table: in a fixed order, so that a repeated step
// gives the same bits.
#pragma once

#include "worker/kernels/number.h"

namespace etalon::kernels {

struct EmbeddingForward {
  Number number = Number::f32;
  std::int64_t rows = 0;         ///< tokens
  std::int64_t width = 0;        ///< on a GPU a multiple of 8
  const void* tokens = nullptr;  ///< int64
  const void* table = nullptr;
  void* result = nullptr;
};

struct EmbeddingBackward {
  Number number = Number::f32;    ///< of result_gradient
  Number gradient = Number::f32;  ///< of table_gradient
  std::int64_t rows = 0;
  std::int64_t width = 0;
  std::int64_t vocabulary = 0;
  const void* tokens = nullptr;
  const void* result_gradient = nullptr;
  void* table_gradient = nullptr;
  bool adds = false;  ///< otherwise rows of tokens that do not occur become zero
  void* scratch = nullptr;
};

/// Keys and positions, each before and after sorting, and the sort's own memory.
inline constexpr std::int64_t embedding_sort_bytes = 4 << 20;
constexpr std::int64_t embedding_scratch_bytes(std::int64_t rows) { return rows * 16 + embedding_sort_bytes; }

}  // namespace etalon::kernels
