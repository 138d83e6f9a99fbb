// SPDX-License-Identifier: Apache-2.0
// NormalFloat4 with double quantisation, to the byte as QLoRA's published kernels have it: four bits per weight, one
// 8-bit magnitude per block of 64, one float32 magnitude per 256 of those.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <span>
#include <vector>

#include "worker/models/linear.h"

namespace etalon::models {

inline constexpr std::int64_t nf4_block = 64;
inline constexpr std::int64_t nf4_nested_block = 256;

/// Its sixteen values, ascending.
std::span<const float> nf4_code();
/// The 256 values of the signed dynamic 8-bit code for the blocks' magnitudes, ascending.
std::span<const float> nf4_nested_code();

struct Nf4 {
  std::vector<std::int64_t> shape;
  at::Tensor packed;            ///< uint8; the even element in the high half
  at::Tensor magnitude_codes;   ///< uint8, one per block
  at::Tensor nested_magnitude;  ///< float32, one per 256 blocks
  at::Tensor offset;            ///< float32 scalar: the mean magnitude

  std::int64_t bytes() const;
};

/// Quantises float32 values, row-major; their count must be a multiple of 64. Throws worker::Failure otherwise.
Nf4 quantise_nf4(const at::Tensor& values);
/// max|x| of each block, before they are quantised themselves.
at::Tensor nf4_magnitudes(const at::Tensor& values);
/// The four-bit codes alone, packed, for given magnitudes.
at::Tensor pack_nf4(const at::Tensor& values, const at::Tensor& magnitudes);
/// float32 values from packed codes and magnitudes.
at::Tensor unpack_nf4(const at::Tensor& packed, const at::Tensor& magnitudes, at::IntArrayRef shape);
/// The magnitudes that double quantisation gives back.
at::Tensor recovered_magnitudes(const Nf4& quantised);
at::Tensor dequantise_nf4(const Nf4& quantised);

/// x · weightᵀ + bias with the weight dequantised and rounded to `type` for each product and kept nowhere; frozen.
LinearPtr make_nf4_linear(Nf4 weight, at::Tensor bias, at::ScalarType type);

}  // namespace etalon::models
