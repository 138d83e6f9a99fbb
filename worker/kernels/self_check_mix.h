// SPDX-License-Identifier: Apache-2.0
// The arithmetic that the self-check's kernel and its CPU twin share.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define ETALON_EVERYWHERE __host__ __device__
#else
#define ETALON_EVERYWHERE
#endif

namespace etalon::kernels {

/// A bijective mix of 32 bits.
ETALON_EVERYWHERE constexpr std::uint32_t mix(std::uint32_t value) {
  value = (value ^ (value >> 16)) * 0x7feb352dU;
  value = (value ^ (value >> 15)) * 0x846ca68bU;
  return value ^ (value >> 16);
}

}  // namespace etalon::kernels
