// SPDX-License-Identifier: Apache-2.0
// The CPU twin of the self-check's kernel.
#include "worker/kernels/self_check.h"
#include "worker/kernels/self_check_mix.h"

namespace etalon::kernels {

std::uint32_t self_check_reference() {
  std::uint32_t sum = 0;
  for (std::uint32_t index = 0; index < self_check_elements; ++index) {
    sum += mix(index);
  }
  return sum;
}

}  // namespace etalon::kernels
