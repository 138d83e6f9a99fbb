// SPDX-License-Identifier: Apache-2.0
// All kernels of our own. A new one is a file x.h with its arguments, x.cu, its CPU twin x_reference.cpp, and one line
// in this list. Matrix products and attention are not here: on a GPU they are cuBLASLt's and cuDNN's.
#pragma once

#include "worker/kernels/adamw.h"
#include "worker/kernels/cross_entropy.h"
#include "worker/kernels/elementwise.h"
#include "worker/kernels/embedding.h"
#include "worker/kernels/number.h"
#include "worker/kernels/rms_norm.h"
#include "worker/kernels/rotary.h"
#include "worker/kernels/swiglu.h"

#define ETALON_KERNELS(entry)                                                                                         \
  entry(embedding_forward, EmbeddingForward) entry(embedding_backward, EmbeddingBackward)                             \
      entry(rms_norm_forward, RmsNormForward) entry(rms_norm_backward, RmsNormBackward) entry(rotary, Rotary)         \
          entry(column_sums, ColumnSums) entry(swiglu_forward, SwiGluForward) entry(swiglu_backward, SwiGluBackward)  \
              entry(cross_entropy, CrossEntropy) entry(scaled_sum, ScaledSum) entry(add, Add) entry(convert, Convert) \
                  entry(set_learning_rate, SetLearningRate) entry(sum_of_squares, SumOfSquares)                       \
                      entry(prepare_update, PrepareUpdate) entry(adamw, AdamW)

namespace etalon::kernels {

/// One way to run every kernel: each enqueues its work on the stream and waits for nothing.
struct Kernels {
#define ETALON_KERNEL_MEMBER(name, Arguments) void (*name)(const Arguments& work, Stream stream);
  ETALON_KERNELS(ETALON_KERNEL_MEMBER)
#undef ETALON_KERNEL_MEMBER
};

#define ETALON_DECLARE_KERNEL(name, Arguments) void name(const Arguments& work, Stream stream);
/// The CPU twins: any number format, in the order of the text.
namespace reference {
ETALON_KERNELS(ETALON_DECLARE_KERNEL)
}
/// On the current GPU: elements in bf16, statistics, masters and moments in f32.
namespace cuda {
ETALON_KERNELS(ETALON_DECLARE_KERNEL)
}
#undef ETALON_DECLARE_KERNEL

const Kernels& reference_kernels();
/// Null where the worker was built without nvcc.
const Kernels* cuda_kernels();

}  // namespace etalon::kernels
