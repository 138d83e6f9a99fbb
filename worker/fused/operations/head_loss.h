// SPDX-License-Identifier: Apache-2.0
// Output head and cross-entropy together, a chunk of rows at a time: the logits of all rows never exist.
#pragma once

#include <string>

#include "worker/fused/graph.h"

namespace etalon::fused {

struct HeadLoss {
  std::int64_t chunk_bytes = 256 << 20;  ///< largest logits at a time
  double share = 1;                      ///< of the step's loss: 1 / accumulation
};

/// Mean cross-entropy in nats over the rows of x, times `share`; a negative target counts as a loss of zero. In
/// training, backward computes loss and gradients in one pass over the logits.
void head_loss(Graph& graph, ValueId x, ValueId weight, ValueId targets, ValueId loss, const HeadLoss& settings);

}  // namespace etalon::fused
