// SPDX-License-Identifier: Apache-2.0
// Causal grouped-query attention on packed query/key/value rows; the CPU twins. On a GPU cuDNN computes the same.
#pragma once

#include "worker/kernels/number.h"

namespace etalon::kernels {

struct AttentionShape {
  Number number = Number::f32;
  std::int64_t batch = 0;
  std::int64_t context = 0;
  std::int64_t heads = 0;
  std::int64_t key_value_heads = 0;
  std::int64_t head_width = 0;

  std::int64_t packed_width() const { return (heads + 2 * key_value_heads) * head_width; }
  bool operator==(const AttentionShape&) const = default;
};

/// packed is [batch · context, (heads + 2 · key_value_heads) · head_width]; mixed is [batch · context, heads ·
/// head_width];
/// log_sums is wide, [batch, heads, context]: log Σ exp of each query's scaled scores.
struct AttentionForward {
  AttentionShape shape;
  const void* packed = nullptr;
  void* mixed = nullptr;
  void* log_sums = nullptr;
};

struct AttentionBackward {
  AttentionShape shape;
  const void* packed = nullptr;
  const void* mixed = nullptr;
  const void* log_sums = nullptr;
  const void* mixed_gradient = nullptr;
  void* packed_gradient = nullptr;
};

namespace reference {
void attention_forward(const AttentionForward& work);
void attention_backward(const AttentionBackward& work);
}  // namespace reference

}  // namespace etalon::kernels
