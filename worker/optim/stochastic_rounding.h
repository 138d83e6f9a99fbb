// SPDX-License-Identifier: Apache-2.0
// Rounding to bfloat16 up or down by chance, in proportion to how near each neighbour is: the mean is the exact value, so
// that updates smaller than half a step of bfloat16 are not lost.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace etalon::optim {

/// The bfloat16 neighbours of `exact` (float32, contiguous), chosen by the hash of (key, position + first): the same on
/// every device and for any number of threads. Infinities and NaN stay.
at::Tensor round_stochastically(const at::Tensor& exact, std::uint64_t key, std::int64_t first);

}  // namespace etalon::optim
