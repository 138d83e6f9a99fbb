// SPDX-License-Identifier: Apache-2.0
// Cgroup limits, from the process's own group up to the root: every level binds.
#include "machine/cgroup.h"

#include <algorithm>
#include <vector>

#include "base/number.h"
#include "base/text.h"
#include "machine/system_file.h"

namespace etalon::machine {
namespace {

/// Group of this process in the hierarchy of `controller` ("" is the unified one), or nothing.
std::optional<std::string> group_of(const std::filesystem::path& root, std::string_view controller) {
  const SystemText read = read_system_file(root, "/proc/self/cgroup");
  for (const std::string_view line : base::split(read.text, '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const auto names = base::split(line.substr(first + 1, second - first - 1), ',');
    if (std::find(names.begin(), names.end(), controller) != names.end()) return std::string(line.substr(second + 1));
  }
  return std::nullopt;
}

/// "/a/b", "/a", "": a container often sees its own group as the root of the mount.
std::vector<std::string> way_up(std::string group) {
  std::vector<std::string> steps;
  while (group.size() > 1) {
    steps.push_back(group);
    group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
  steps.emplace_back();
  return steps;
}

std::optional<double> cpus_of_quota(std::string_view text) {
  const auto fields = base::split(base::trim(text), ' ');
  if (fields.size() != 2) return std::nullopt;
  const auto allowed = base::parse_integer(fields[0]);  // "max" is no number: unlimited
  const auto period = base::parse_integer(fields[1]);
  if (!allowed || !period || *allowed <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*allowed) / static_cast<double>(*period);
}

template <typename Value>
void tighten(CgroupLimit<Value>& limit, const std::optional<Value>& found, const std::string& origin) {
  if (limit.origin.empty()) limit.origin = origin;
  if (!found || (limit.value && *limit.value <= *found)) return;
  limit.value = found;
  limit.origin = origin;
}

}  // namespace

CgroupLimit<double> cgroup_cpu_limit(const std::filesystem::path& root) {
  CgroupLimit<double> limit;
  for (const std::string& group : way_up(group_of(root, "").value_or("/"))) {
    const std::string name = "/sys/fs/cgroup" + group + "/cpu.max";
    const SystemText read = read_system_file(root, name);
    if (read.ok()) tighten(limit, cpus_of_quota(read.text), name);
  }
  for (const std::string& group : way_up(group_of(root, "cpu").value_or("/"))) {
    const std::string folder = "/sys/fs/cgroup/cpu" + group;
    const auto allowed = read_system_integer(root, folder + "/cpu.cfs_quota_us");
    const auto period = read_system_integer(root, folder + "/cpu.cfs_period_us");
    if (!allowed || !period) continue;
    tighten(limit, cpus_of_quota(std::to_string(*allowed) + " " + std::to_string(*period)),
            folder + "/cpu.cfs_quota_us");
  }
  return limit;
}

CgroupLimit<std::int64_t> cgroup_memory_limit(const std::filesystem::path& root) {
  // v1 says "unlimited" by a number near 2^63.
  constexpr std::int64_t unlimited = std::int64_t{1} << 60;
  CgroupLimit<std::int64_t> limit;
  const auto look = [&](const std::string& name) {
    const SystemText read = read_system_file(root, name);
    if (!read.ok()) return;
    const auto bytes = base::parse_integer(base::trim(read.text));
    tighten(limit, bytes && *bytes > 0 && *bytes < unlimited ? bytes : std::nullopt, name);
  };
  for (const std::string& group : way_up(group_of(root, "").value_or("/")))
    look("/sys/fs/cgroup" + group + "/memory.max");
  for (const std::string& group : way_up(group_of(root, "memory").value_or("/")))
    look("/sys/fs/cgroup/memory" + group + "/memory.limit_in_bytes");
  return limit;
}

}  // namespace etalon::machine
