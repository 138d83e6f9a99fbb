// SPDX-License-Identifier: Apache-2.0
// Processors: which, how many, how many of them this process may use, and how their clocks are governed.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "machine/cgroup.h"
#include "machine/cpu_list.h"
#include "machine/facts/catalog.h"
#include "machine/system_file.h"

namespace etalon::machine {
namespace {

constexpr const char* cpu_folder = "/sys/devices/system/cpu";

Fact model(const std::filesystem::path& root) {
  const SystemText read = read_system_file(root, "/proc/cpuinfo");
  if (!read.ok()) return Fact::unreadable("cpu.model", "processor model", "/proc/cpuinfo", read.error_number);
  if (const auto name = value_of_key(read.text, "model name", ':'))
    return Fact::known("cpu.model", "processor model", "/proc/cpuinfo", *name);
  const auto implementer = value_of_key(read.text, "CPU implementer", ':');
  const auto part = value_of_key(read.text, "CPU part", ':');
  if (implementer && part) {
    return Fact::known("cpu.model", "processor model", "/proc/cpuinfo",
                       fmt::format("Arm implementer {} part {}", *implementer, *part));
  }
  return Fact::missing("cpu.model", "processor model", "/proc/cpuinfo", FactState::not_supported, "it names no model");
}

std::vector<int> online_cpus(const std::filesystem::path& root) {
  return parse_cpu_list(read_system_file(root, fmt::format("{}/online", cpu_folder)).text).value_or(std::vector<int>());
}

Fact list_size(const std::filesystem::path& root, std::string name, std::string meaning, const std::string& origin) {
  const SystemText read = read_system_file(root, origin);
  if (!read.ok()) return Fact::unreadable(std::move(name), std::move(meaning), origin, read.error_number);
  const auto members = parse_cpu_list(read.text);
  if (members) return Fact::known(std::move(name), std::move(meaning), origin, members->size());
  return Fact::missing(std::move(name), std::move(meaning), origin, FactState::unknown,
                       fmt::format("not a list: \"{}\"", base::printable(base::trim(read.text), 40)));
}

std::pair<Fact, Fact> sockets_and_cores(const std::filesystem::path& root, const std::vector<int>& online) {
  const std::string origin = fmt::format("{}/cpu*/topology", cpu_folder);
  std::set<std::int64_t> sockets;
  std::set<std::pair<std::int64_t, std::int64_t>> cores;
  int error_number = online.empty() ? ENOENT : 0;
  for (const int cpu : online) {
    const std::string folder = fmt::format("{}/cpu{}/topology", cpu_folder, cpu);
    const auto package = read_system_integer(root, folder + "/physical_package_id", &error_number);
    if (!package) break;
    const auto core = read_system_integer(root, folder + "/core_id", &error_number);
    if (!core) break;
    sockets.insert(*package);
    cores.emplace(*package, *core);
  }
  if (error_number != 0) {
    return {Fact::unreadable("cpu.sockets", "processor packages", origin, error_number),
            Fact::unreadable("cpu.cores", "physical cores online", origin, error_number)};
  }
  return {Fact::known("cpu.sockets", "processor packages", origin, sockets.size()),
          Fact::known("cpu.cores", "physical cores online", origin, cores.size())};
}

Fact smt(const std::filesystem::path& root) {
  const std::string origin = fmt::format("{}/smt/active", cpu_folder);
  int error_number = 0;
  const auto active = read_system_integer(root, origin, &error_number);
  if (active) return Fact::known("cpu.smt", "several threads share a core", origin, *active != 0);
  return Fact::unreadable("cpu.smt", "several threads share a core", origin, error_number);
}

Fact governor(const std::filesystem::path& root, const std::vector<int>& online) {
  const std::string origin = fmt::format("{}/cpu*/cpufreq/scaling_governor", cpu_folder);
  std::set<std::string> governors;
  int error_number = ENOENT;
  for (const int cpu : online) {
    const SystemText read = read_system_file(root, fmt::format("{}/cpu{}/cpufreq/scaling_governor", cpu_folder, cpu));
    if (read.ok())
      governors.emplace(base::trim(read.text));
    else
      error_number = read.error_number;
  }
  if (governors.empty()) return Fact::unreadable("cpu.governor", "frequency governor", origin, error_number);
  const std::vector<std::string> names(governors.begin(), governors.end());
  return Fact::known("cpu.governor", "frequency governor", origin, base::join(names, ", "));
}

Fact highest_clock(const std::filesystem::path& root) {
  const std::string origin = fmt::format("{}/cpu0/cpufreq/cpuinfo_max_freq", cpu_folder);
  int error_number = 0;
  const auto kilohertz = read_system_integer(root, origin, &error_number);
  if (!kilohertz) return Fact::unreadable("cpu.clock_highest", "highest clock of the first CPU", origin, error_number);
  return Fact::known("cpu.clock_highest", "highest clock of the first CPU", origin,
                     static_cast<double>(*kilohertz) / 1000, "MHz");
}

Fact allowed(const std::filesystem::path& root) {
  const std::string origin = "/proc/self/status Cpus_allowed_list";
  const std::string meaning = "CPUs that this process may be scheduled on";
  const SystemText read = read_system_file(root, "/proc/self/status");
  if (!read.ok()) return Fact::unreadable("cpu.allowed", meaning, origin, read.error_number);
  const auto text = value_of_key(read.text, "Cpus_allowed_list", ':');
  const auto cpus = text ? parse_cpu_list(*text) : std::nullopt;
  if (!cpus || cpus->empty())
    return Fact::missing("cpu.allowed", meaning, origin, FactState::unknown, "no list of CPUs in it");
  return Fact::known("cpu.allowed", meaning, origin, cpus->size());
}

Fact quota(const std::filesystem::path& root) {
  const std::string meaning = "CPU time that a cgroup allows per second";
  const CgroupLimit<double> limit = cgroup_cpu_limit(root);
  const std::string origin = limit.origin.empty() ? "/sys/fs/cgroup" : limit.origin;
  if (limit.value) return Fact::known("cpu.quota", meaning, origin, *limit.value, "CPUs");
  return Fact::missing("cpu.quota", meaning, origin, FactState::not_supported,
                       limit.origin.empty() ? "no CPU controller is mounted" : "no limit is set");
}

Fact usable(const Fact& online, const Fact& allowed_cpus, const Fact& quota_cpus) {
  const std::string meaning = "CPUs that this process may use: affinity, and a quota rounded down";
  double count = 0;
  std::string origin;
  for (const Fact* fact : {&online, &allowed_cpus, &quota_cpus}) {
    if (fact->state != FactState::value) continue;
    const double found = std::max(1.0, std::floor(fact->value.get<double>()));
    if (count != 0 && found >= count) continue;
    count = found;
    origin = fact->origin;
  }
  if (count == 0) return Fact::missing("cpu.count", meaning, online.origin, online.state, online.reason);
  return Fact::known("cpu.count", meaning, origin, static_cast<int>(count));
}

}  // namespace

std::vector<Fact> collect_cpu(const CaptureOptions& options) {
  const std::filesystem::path& root = options.root;
  const std::vector<int> online = online_cpus(root);
  const Fact online_count = list_size(root, "cpu.online", "logical CPUs online", fmt::format("{}/online", cpu_folder));
  const Fact allowed_cpus = allowed(root);
  const Fact quota_cpus = quota(root);
  auto [sockets, cores] = sockets_and_cores(root, online);
  return {model(root),
          usable(online_count, allowed_cpus, quota_cpus),
          online_count,
          allowed_cpus,
          quota_cpus,
          std::move(sockets),
          std::move(cores),
          smt(root),
          list_size(root, "cpu.numa_nodes", "NUMA nodes", "/sys/devices/system/node/online"),
          governor(root, online),
          highest_clock(root)};
}

}  // namespace etalon::machine
