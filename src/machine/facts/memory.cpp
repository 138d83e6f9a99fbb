// SPDX-License-Identifier: Apache-2.0
// Host memory: what there is, what a cgroup leaves of it, and swap.
#include <utility>

#include "machine/cgroup.h"
#include "machine/facts/catalog.h"
#include "machine/meminfo.h"
#include "machine/system_file.h"

namespace etalon::machine {
namespace {

Fact line_of_meminfo(const SystemText& read, std::string name, std::string meaning, const char* key) {
  std::string origin = std::string("/proc/meminfo ") + key;
  if (!read.ok()) return Fact::unreadable(std::move(name), std::move(meaning), std::move(origin), read.error_number);
  const auto bytes = meminfo_bytes(read.text, key);
  if (bytes) return Fact::known(std::move(name), std::move(meaning), std::move(origin), *bytes, "bytes");
  return Fact::missing(std::move(name), std::move(meaning), std::move(origin), FactState::not_supported,
                       "no such line");
}

Fact limit(const std::filesystem::path& root) {
  const std::string meaning = "memory that a cgroup allows";
  const CgroupLimit<std::int64_t> found = cgroup_memory_limit(root);
  const std::string origin = found.origin.empty() ? "/sys/fs/cgroup" : found.origin;
  if (found.value) return Fact::known("memory.limit", meaning, origin, *found.value, "bytes");
  return Fact::missing("memory.limit", meaning, origin, FactState::not_supported,
                       found.origin.empty() ? "no memory controller is mounted" : "no limit is set");
}

}  // namespace

std::vector<Fact> collect_memory(const CaptureOptions& options) {
  const SystemText read = read_system_file(options.root, "/proc/meminfo");
  return {line_of_meminfo(read, "memory.total", "memory that the kernel manages", "MemTotal"),
          line_of_meminfo(read, "memory.available", "memory available at the start", "MemAvailable"),
          limit(options.root), line_of_meminfo(read, "memory.swap", "swap space", "SwapTotal")};
}

}  // namespace etalon::machine
