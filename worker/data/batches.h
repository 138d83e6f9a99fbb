// SPDX-License-Identifier: Apache-2.0
// Token windows as tensors on the training device. On a GPU they go through pinned memory by an asynchronous copy,
// queued ahead of the step that needs them, so the GPU never waits for the host.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <span>

namespace etalon::data {

struct Batch {
  at::Tensor tokens_BT;
  at::Tensor targets_BT;  ///< the token that follows each of tokens_BT
};

/// Row `row` of a batch: fills context + 1 tokens.
using FillRow = std::function<void(std::int64_t row, std::span<std::int64_t> window)>;

/// Tokens and targets of all rows in host memory, pinned where `device` is a GPU: [2, rows, context].
at::Tensor host_batch(std::int64_t rows, std::int64_t context, const at::Device& device, const FillRow& fill_row);

/// Queues the copy of what host_batch() made.
Batch on_device(const at::Tensor& host, const at::Device& device);

/// Both at once.
Batch make_batch(std::int64_t rows, std::int64_t context, const at::Device& device, const FillRow& fill_row);

}  // namespace etalon::data
