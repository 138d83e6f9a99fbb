// SPDX-License-Identifier: Apache-2.0
// Number formats of the fused execution, and how a CPU twin is instantiated for each. No torch, no CUDA header.
#pragma once

#include <bit>
#include <cstdint>

struct CUstream_st;  // cudaStream_t is a pointer to it

namespace etalon::kernels {

/// Null on the CPU.
using Stream = CUstream_st*;

enum class Number : std::uint8_t { bf16, f32, f64, i64 };

constexpr std::int64_t bytes_of(Number number) { return number == Number::bf16 ? 2 : number == Number::f32 ? 4 : 8; }

/// What statistics, vectors of weights and sums are kept in beside elements of `number`.
constexpr Number wide(Number number) { return number == Number::f64 ? Number::f64 : Number::f32; }

/// The upper half of a float, rounded to nearest even.
struct BFloat16 {
  std::uint16_t bits = 0;

  BFloat16() = default;
  explicit BFloat16(float value) {
    const auto whole = std::bit_cast<std::uint32_t>(value);
    const bool is_nan = (whole & 0x7fffffffU) > 0x7f800000U;
    bits = static_cast<std::uint16_t>((is_nan ? whole | 0x400000U : whole + 0x7fffU + ((whole >> 16) & 1U)) >> 16);
  }
  explicit operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
};

template <class Element>
struct WideOf {
  using type = float;
};
template <>
struct WideOf<double> {
  using type = double;
};
template <class Element>
using Wide = typename WideOf<Element>::type;

/// Calls `action` with a zero of the C++ type that `number` stands for.
template <class Action>
void with_number(Number number, const Action& action) {
  if (number == Number::f64) {
    action(double{});
  } else if (number == Number::f32) {
    action(float{});
  } else {
    action(BFloat16{});
  }
}

template <class Element>
Wide<Element> widen(Element element) {
  return static_cast<Wide<Element>>(element);
}

}  // namespace etalon::kernels
