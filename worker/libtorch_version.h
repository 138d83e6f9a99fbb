// SPDX-License-Identifier: Apache-2.0
// All that differs between the LibTorch versions we build against (2.7 and newer) stands behind these functions;
// libtorch_version.cpp is the one file that asks for a version.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace etalon::worker {

/// The version of the headers that this worker was built with ("2.11.0").
std::string built_with_libtorch();

struct DeviceMemory {
  std::int64_t peak_allocated_bytes = 0;
  std::int64_t peak_reserved_bytes = 0;
};
/// Peaks of the caching allocator of GPU `index` since the start; empty where this LibTorch has no device-neutral query
/// (before 2.9).
std::optional<DeviceMemory> device_memory(int index);

/// Whether float32 matrix products on a GPU may round their inputs to TF32. The switch is set both ways, never left to
/// a default.
void allow_tf32(bool allowed);

}  // namespace etalon::worker
