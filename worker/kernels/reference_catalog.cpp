// SPDX-License-Identifier: Apache-2.0
// The table of the CPU twins, made from the list.
#include "worker/kernels/catalog.h"

namespace etalon::kernels {

const Kernels& reference_kernels() {
#define ETALON_KERNEL_ENTRY(name, Arguments) reference::name,
  static constexpr Kernels table{ETALON_KERNELS(ETALON_KERNEL_ENTRY)};
#undef ETALON_KERNEL_ENTRY
  return table;
}

}  // namespace etalon::kernels
