// SPDX-License-Identifier: Apache-2.0
// A tiny kernel with a known answer, run before training: shows at once when this build has no code for the card at
// hand.
#pragma once

#include <cstdint>

namespace etalon::kernels {

inline constexpr int self_check_elements = 1 << 16;

/// What CUDA said and what the kernel computed. `code` 0 is success; `message` is a static string.
struct SelfCheckResult {
  int code = 0;
  const char* message = "";
  std::uint32_t checksum = 0;
};

/// Code of CUDA for "this build has no code for this card".
inline constexpr int no_kernel_image = 209;
/// Code for "built without kernels of its own".
inline constexpr int no_kernels_built = -1;

/// Runs the kernel on the current device and waits for it.
SelfCheckResult run_self_check();

/// The compute capabilities that the kernels were built for ("9.0 12.0"); empty when none were.
const char* built_architectures();

/// The same sum on the CPU.
std::uint32_t self_check_reference();

}  // namespace etalon::kernels
