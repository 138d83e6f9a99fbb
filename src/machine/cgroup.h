// SPDX-License-Identifier: Apache-2.0
// Limits that a container or a service manager puts on this process: cgroup v2, and the v1 hierarchies of older machines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace etalon::machine {

template <typename Value>
struct CgroupLimit {
  std::optional<Value> value;  ///< the tightest on the way up; nothing when unlimited
  std::string origin;          ///< the file it stands in; empty when no such file exists
};

/// CPUs worth of time per second.
CgroupLimit<double> cgroup_cpu_limit(const std::filesystem::path& root);
CgroupLimit<std::int64_t> cgroup_memory_limit(const std::filesystem::path& root);

}  // namespace etalon::machine
