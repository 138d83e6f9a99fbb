// SPDX-License-Identifier: Apache-2.0
// Eight bf16 numbers at a time: 16-byte accesses to memory, arithmetic in float.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>

#include "worker/kernels/cuda_check.cuh"
#include "worker/kernels/number.h"

namespace etalon::kernels::cuda {

struct Eight {
  float value[8];
};

__device__ inline Eight unpack(uint4 raw) {
  Eight eight;
  const std::uint32_t words[4] = {raw.x, raw.y, raw.z, raw.w};
#pragma unroll
  for (int index = 0; index < 4; ++index) {
    eight.value[2 * index] = __uint_as_float(words[index] << 16);
    eight.value[2 * index + 1] = __uint_as_float(words[index] & 0xffff0000U);
  }
  return eight;
}

__device__ inline uint4 pack(const Eight& eight) {
  std::uint32_t words[4];
#pragma unroll
  for (int index = 0; index < 4; ++index) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(eight.value[2 * index], eight.value[2 * index + 1]);
    words[index] = *reinterpret_cast<const std::uint32_t*>(&pair);
  }
  return make_uint4(words[0], words[1], words[2], words[3]);
}

/// What the numbers become when they are stored.
__device__ inline Eight rounded(const Eight& eight) { return unpack(pack(eight)); }

/// `place` counts groups of eight.
__device__ inline uint4 load_raw(const void* data, std::int64_t place) {
  return static_cast<const uint4*>(data)[place];
}
__device__ inline Eight load_bf16(const void* data, std::int64_t place) { return unpack(load_raw(data, place)); }
__device__ inline void store_bf16(void* data, std::int64_t place, const Eight& eight) {
  static_cast<uint4*>(data)[place] = pack(eight);
}
__device__ inline Eight load_f32(const void* data, std::int64_t place) {
  const float4 low = static_cast<const float4*>(data)[2 * place];
  const float4 high = static_cast<const float4*>(data)[2 * place + 1];
  return {{low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w}};
}
__device__ inline void store_f32(void* data, std::int64_t place, const Eight& eight) {
  const float* const v = eight.value;
  static_cast<float4*>(data)[2 * place] = make_float4(v[0], v[1], v[2], v[3]);
  static_cast<float4*>(data)[2 * place + 1] = make_float4(v[4], v[5], v[6], v[7]);
}

template <bool bf16>
__device__ inline Eight load(const void* data, std::int64_t place) {
  if constexpr (bf16) {
    return load_bf16(data, place);
  } else {
    return load_f32(data, place);
  }
}
template <bool bf16>
__device__ inline void store(void* data, std::int64_t place, const Eight& eight) {
  if constexpr (bf16) {
    store_bf16(data, place, eight);
  } else {
    store_f32(data, place, eight);
  }
}

template <class Real>
__device__ inline Real warp_sum(Real value) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xffffffffU, value, distance);
  }
  return value;
}

/// The sum over the block in every thread, always in the same order. `room` holds 32 numbers and may be used again
/// after one __syncthreads().
template <class Real>
__device__ inline Real block_sum(Real value, Real* room) {
  value = warp_sum(value);
  const unsigned warps = blockDim.x / 32;
  if (threadIdx.x % 32 == 0) {
    room[threadIdx.x / 32] = value;
  }
  __syncthreads();
  return warp_sum(threadIdx.x % 32 < warps ? room[threadIdx.x % 32] : Real{0});
}

inline unsigned blocks_for(std::int64_t items, int threads) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

}  // namespace etalon::kernels::cuda
