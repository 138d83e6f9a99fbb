// SPDX-License-Identifier: Apache-2.0
// One buffer and one copy per batch: inputs and targets lie one after the other.
#include "worker/data/batches.h"

#include <algorithm>
#include <vector>

namespace etalon::data {

at::Tensor host_batch(std::int64_t rows, std::int64_t context, const at::Device& device, const FillRow& fill_row) {
  const auto options = at::TensorOptions(at::kLong).pinned_memory(device.is_cuda());
  at::Tensor host = at::empty({2, rows, context}, options);
  std::int64_t* const tokens = host.mutable_data_ptr<std::int64_t>();
  std::int64_t* const targets = tokens + rows * context;
  std::vector<std::int64_t> window(static_cast<std::size_t>(context) + 1);
  for (std::int64_t row = 0; row < rows; ++row) {
    fill_row(row, window);
    std::copy_n(window.begin(), context, tokens + row * context);
    std::copy_n(window.begin() + 1, context, targets + row * context);
  }
  return host;
}

Batch on_device(const at::Tensor& host, const at::Device& device) {
  // The caching host allocator keeps the pinned block until the copy queued here is over.
  const at::Tensor both = device.is_cuda() ? host.to(device, /*non_blocking=*/true) : host;
  return {both.select(0, 0), both.select(0, 1)};
}

Batch make_batch(std::int64_t rows, std::int64_t context, const at::Device& device, const FillRow& fill_row) {
  return on_device(host_batch(rows, context, device, fill_row), device);
}

}  // namespace etalon::data
