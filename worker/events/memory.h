// SPDX-License-Identifier: Apache-2.0
// How much memory the process and its device use.
#pragma once

#include <filesystem>

#include "wire/event.h"

namespace etalon::events {

/// Resident bytes of this process and, with a device index, the peaks of LibTorch's allocator there.
wire::Memory memory_now(std::optional<int> device_index, const std::filesystem::path& statm = "/proc/self/statm");

}  // namespace etalon::events
