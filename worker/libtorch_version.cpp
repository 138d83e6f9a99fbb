// SPDX-License-Identifier: Apache-2.0
// The only conditional compilation of the worker.
#include "worker/libtorch_version.h"

#include <ATen/ATen.h>
#include <torch/csrc/api/include/torch/version.h>

#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 9
#define ETALON_DEVICE_STATISTICS 1
#include <ATen/DeviceAccelerator.h>
#else
#define ETALON_DEVICE_STATISTICS 0
#endif

namespace etalon::worker {

std::string built_with_libtorch() { return TORCH_VERSION; }

#if ETALON_DEVICE_STATISTICS
std::optional<DeviceMemory> device_memory(int index) {
  const auto statistics = at::accelerator::getDeviceStats(static_cast<c10::DeviceIndex>(index));
  constexpr auto all = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  return DeviceMemory{statistics.allocated_bytes[all].peak, statistics.reserved_bytes[all].peak};
}
#else
std::optional<DeviceMemory> device_memory(int) { return std::nullopt; }
#endif

void allow_tf32(bool allowed) {
  at::globalContext().setFloat32MatmulPrecision(allowed ? "high" : "highest");
  at::globalContext().setAllowTF32CuDNN(allowed);
}

}  // namespace etalon::worker
