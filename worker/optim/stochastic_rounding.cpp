// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic on the bits of float32: sixteen random bits are added below those that stay, and the rest is cut.
#include "worker/optim/stochastic_rounding.h"

#include <c10/core/GradMode.h>

#include "worker/data/counter_random.h"

namespace etalon::optim {
namespace {

constexpr std::int64_t low_half = 0xffff;

/// bits ^= bits >> count, of unsigned bits.
void fold(at::Tensor& bits, std::int64_t count) {
  const std::int64_t kept = (std::int64_t{1} << (32 - count)) - 1;
  bits.bitwise_xor_(at::bitwise_right_shift(bits, count).bitwise_and_(kept));
}

std::int64_t as_signed(std::uint32_t bits) { return static_cast<std::int32_t>(bits); }

/// Thirty-two well-mixed bits for each counter: a multiply-and-fold hash of two rounds on 32-bit integers that wrap.
at::Tensor mixed(std::uint64_t key, std::int64_t first, std::int64_t count, const at::Device& device) {
  at::Tensor bits = at::arange(first, first + count, at::TensorOptions(at::kLong).device(device)).to(at::kInt);
  const auto low = static_cast<std::uint32_t>(key);
  const auto high = static_cast<std::uint32_t>(key >> 32);
  bits.bitwise_xor_(as_signed(low));
  fold(bits, 16);
  bits.mul_(as_signed(0x21f0aaadU));
  fold(bits, 15);
  bits.add_(as_signed(high));
  bits.mul_(as_signed(0x735a2d97U));
  fold(bits, 15);
  return bits;
}

}  // namespace

at::Tensor round_stochastically(const at::Tensor& exact, std::uint64_t key, std::int64_t first) {
  const c10::NoGradGuard no_gradient;
  const at::Tensor flat = exact.reshape(-1);
  at::Tensor bits = mixed(key, first, flat.numel(), exact.device()).bitwise_and_(low_half);
  bits.add_(flat.view(at::kInt)).bitwise_and_(~low_half);
  return at::where(at::isfinite(flat), bits.view(at::kFloat), flat).to(at::kBFloat16).view_as(exact);
}

}  // namespace etalon::optim
