// SPDX-License-Identifier: Apache-2.0
// Reads the kernel's and the allocator's books.
#include "worker/events/memory.h"

#include <unistd.h>

#include <fstream>

#include "base/clock.h"
#include "worker/libtorch_version.h"

namespace etalon::events {

wire::Memory memory_now(std::optional<int> device_index, const std::filesystem::path& statm) {
  wire::Memory memory;
  memory.time_ns = base::monotonic_ns();
  std::ifstream file(statm);
  std::int64_t size_pages = 0;
  std::int64_t resident_pages = 0;
  if (file >> size_pages >> resident_pages) {
    memory.host_resident_bytes = resident_pages * sysconf(_SC_PAGESIZE);
  }
  if (device_index) {
    if (const auto peaks = worker::device_memory(*device_index)) {
      memory.device_peak_allocated_bytes = peaks->peak_allocated_bytes;
      memory.device_peak_reserved_bytes = peaks->peak_reserved_bytes;
    }
  }
  return memory;
}

}  // namespace etalon::events
