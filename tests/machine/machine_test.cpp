// SPDX-License-Identifier: Apache-2.0
// Facts of fake machines: what is there is read, what is not there says why.
#include "machine/machine.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "fake_root.h"
#include "machine/cgroup.h"
#include "machine/cpu_list.h"
#include "machine/meminfo.h"

namespace etalon::machine {
namespace {

using namespace std::string_literals;

constexpr const char* no_nvml = "/nonexistent/libnvidia-ml.so.1";

/// A workstation: one socket, two cores with two threads each, under nothing and nobody.
FakeRoot& workstation(FakeRoot& root) {
  root.write("/etc/machine-id", "3d1219c7c4c5404aaa1f6d2a48adfda4\n")
      .write("/etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n")
      .write("/proc/sys/kernel/osrelease", "6.1.0-28-amd64\n")
      .write("/proc/sys/kernel/arch", "x86_64\n")
      .write("/proc/sys/kernel/hostname", "lab7\n")
      .write("/proc/loadavg", "0.42 0.30 0.21 3/512 12345\n")
      .write("/proc/uptime", "86400.25 170000.00\n")
      .write("/proc/cpuinfo", "processor\t: 0\nmodel name\t: Fake CPU 9000 @ 4.00GHz\nflags\t\t: fpu sse avx\n")
      .write("/proc/meminfo", "MemTotal:       16000000 kB\nMemAvailable:   12000000 kB\nSwapTotal: 0 kB\n")
      .write("/proc/self/status", "Name:\tetalon\nCpus_allowed_list:\t0-3\n")
      .write("/proc/self/cgroup", "0::/user.slice\n")
      .write("/sys/devices/system/cpu/online", "0-3\n")
      .write("/sys/devices/system/cpu/smt/active", "1\n")
      .write("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "5500000\n")
      .write("/sys/devices/system/node/online", "0\n");
  for (int cpu = 0; cpu < 4; ++cpu) {
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu);
    root.write(folder + "/topology/physical_package_id", "0\n")
        .write(folder + "/topology/core_id", std::to_string(cpu / 2) + "\n")
        .write(folder + "/cpufreq/scaling_governor", "powersave\n");
  }
  return root;
}

Machine captured(const FakeRoot& root, bool identify = false) {
  return capture({.root = root.path(), .nvml_library = no_nvml, .identify = identify});
}

base::Json value(const Machine& machine, std::string_view name) {
  const Fact* fact = machine.find(name);
  return fact != nullptr && fact->state == FactState::value ? fact->value : base::Json("no such value");
}

TEST(Machine, ReadsAWorkstation) {
  FakeRoot root;
  const Machine machine = captured(workstation(root));
  EXPECT_EQ(machine.cpu_count, 4);
  EXPECT_EQ(machine.memory_bytes, 16'384'000'000U);
  EXPECT_EQ(machine.nvidia_gpus, 0);
  EXPECT_EQ(machine.architecture, "x86_64");
  EXPECT_FALSE(machine.wsl);
  EXPECT_EQ(value(machine, "system.name"), "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(value(machine, "system.kernel"), "6.1.0-28-amd64");
  EXPECT_EQ(value(machine, "system.virtualisation"), "none");
  EXPECT_EQ(value(machine, "system.container"), "none");
  EXPECT_EQ(value(machine, "cpu.model"), "Fake CPU 9000 @ 4.00GHz");
  EXPECT_EQ(value(machine, "cpu.sockets"), 1);
  EXPECT_EQ(value(machine, "cpu.cores"), 2);
  EXPECT_EQ(value(machine, "cpu.smt"), true);
  EXPECT_EQ(value(machine, "cpu.governor"), "powersave");
  EXPECT_EQ(value(machine, "cpu.clock_highest"), 5500);
  EXPECT_EQ(value(machine, "cpu.numa_nodes"), 1);
  EXPECT_EQ(value(machine, "memory.swap"), 0);
  EXPECT_EQ(value(machine, "host.load"), 0.42);
  EXPECT_EQ(value(machine, "host.uptime"), 86400.25);
}

TEST(Machine, KeepsTheHostNameToItselfUnlessAsked) {
  FakeRoot root;
  workstation(root);
  EXPECT_TRUE(value(captured(root), "host.name").get<std::string>().starts_with("host-"));
  EXPECT_EQ(base::to_line(to_json(captured(root))).find("lab7"), std::string::npos);
  EXPECT_EQ(value(captured(root, true), "host.name"), "lab7");
}

TEST(Machine, OnAnEmptyRootSaysWhyEachFactIsMissing) {
  const FakeRoot root;
  const Machine machine = captured(root);
  EXPECT_GE(machine.cpu_count, 1);
  EXPECT_EQ(machine.memory_bytes, 0U);
  for (const char* name :
       {"cpu.model", "cpu.count", "cpu.sockets", "cpu.governor", "memory.total", "system.name", "host.name"}) {
    ASSERT_NE(machine.find(name), nullptr) << name;
    EXPECT_EQ(machine.find(name)->state, FactState::not_supported) << name;
    EXPECT_NE(machine.find(name)->reason, "") << name;
  }
  EXPECT_EQ(machine.find("cpu.governor")->reason, "No such file or directory (errno 2)");
}

TEST(Machine, SurvivesGarbageInEveryFile) {
  FakeRoot root;
  workstation(root);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root.path())) {
    if (entry.is_regular_file()) std::ofstream(entry.path(), std::ios::binary) << "\xff\0:=-,9999999999999999999\n-"s;
  }
  const Machine machine = captured(root);
  EXPECT_GE(machine.cpu_count, 1);
  EXPECT_EQ(machine.find("memory.total")->state, FactState::not_supported);
  EXPECT_EQ(machine.find("cpu.sockets")->state, FactState::not_supported) << "no list of CPUs to ask about";
  EXPECT_FALSE(base::to_line(to_json(machine)).empty());
}

TEST(Machine, UsesNoMoreCpusThanAffinityAndQuotaAllow) {
  FakeRoot root;
  workstation(root);
  root.write("/proc/self/status", "Cpus_allowed_list:\t0,2-3\n");
  EXPECT_EQ(captured(root).cpu_count, 3);
  root.write("/sys/fs/cgroup/user.slice/cpu.max", "150000 100000\n");
  EXPECT_EQ(captured(root).cpu_count, 1) << "one and a half CPUs feed one thread";
  EXPECT_EQ(value(captured(root), "cpu.quota"), 1.5);
  EXPECT_EQ(captured(root).find("cpu.count")->origin, "/sys/fs/cgroup/user.slice/cpu.max");
}

TEST(Machine, SeesALinuxThatLivesInWindows) {
  FakeRoot root;
  workstation(root);
  root.write("/proc/sys/kernel/osrelease", "5.15.167.4-microsoft-standard-WSL2\n");
  EXPECT_TRUE(captured(root).wsl);
}

TEST(Machine, SeesHypervisorsAndContainers) {
  FakeRoot root;
  workstation(root);
  root.write("/proc/cpuinfo", "model name\t: X\nflags\t\t: fpu hypervisor lm\n")
      .write("/sys/class/dmi/id/sys_vendor", "QEMU\n")
      .write("/sys/class/dmi/id/product_name", "Standard PC\n")
      .write("/.dockerenv", "");
  EXPECT_EQ(value(captured(root), "system.virtualisation"), "QEMU Standard PC");
  EXPECT_EQ(value(captured(root), "system.container"), "docker");
}

TEST(Machine, ListsTheVariablesThatChangeTrainingAndNoOthers) {
  FakeRoot root;
  workstation(root);
  root.write("/proc/self/environ",
             "OMP_NUM_THREADS=8\0HOME=/home/marie\0NCCL_DEBUG=INFO\0PYTORCH_TOKEN=hunter2\0broken"s);
  const Machine machine = captured(root);
  EXPECT_EQ(value(machine, "environment.OMP_NUM_THREADS"), "8");
  EXPECT_EQ(value(machine, "environment.NCCL_DEBUG"), "INFO");
  EXPECT_TRUE(value(machine, "environment.PYTORCH_TOKEN").get<std::string>().starts_with("secret-"));
  EXPECT_EQ(machine.find("environment.HOME"), nullptr);
  EXPECT_TRUE(value(captured(root, true), "environment.PYTORCH_TOKEN").get<std::string>().starts_with("secret-"))
      << "--identify is for names, never for secrets";
}

TEST(Machine, WritesFactsWithTheirStates) {
  const Fact known = Fact::known("cpu.count", "CPUs", "/proc", 4, "CPUs");
  EXPECT_EQ(base::to_line(to_json(known)),
            R"({"name":"cpu.count","meaning":"CPUs","origin":"/proc","state":"value","value":4,"unit":"CPUs"})");
  const Fact refused = Fact::unreadable("x", "y", "z", EACCES);
  EXPECT_EQ(
      base::to_line(to_json(refused)),
      R"json({"name":"x","meaning":"y","origin":"z","state":"not permitted","reason":"Permission denied (errno 13)"})json");
  EXPECT_EQ(state_of_errno(EIO), FactState::unknown);
}

TEST(Cgroup, TakesTheTightestLimitOnTheWayUp) {
  FakeRoot root;
  root.write("/proc/self/cgroup", "0::/a/b\n")
      .write("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n")
      .write("/sys/fs/cgroup/a/cpu.max", "800000 100000\n")
      .write("/sys/fs/cgroup/a/b/memory.max", "max\n")
      .write("/sys/fs/cgroup/a/memory.max", "1073741824\n");
  EXPECT_EQ(cgroup_cpu_limit(root.path()).value, 8.0);
  EXPECT_EQ(cgroup_cpu_limit(root.path()).origin, "/sys/fs/cgroup/a/cpu.max");
  EXPECT_EQ(cgroup_memory_limit(root.path()).value, 1'073'741'824);
}

TEST(Cgroup, KnowsTheFirstVersion) {
  FakeRoot root;
  root.write("/proc/self/cgroup", "4:memory:/box\n1:cpu,cpuacct:/box\n")
      .write("/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "250000\n")
      .write("/sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n")
      .write("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(cgroup_cpu_limit(root.path()).value, 2.5);
  EXPECT_FALSE(cgroup_memory_limit(root.path()).value.has_value());
  EXPECT_NE(cgroup_memory_limit(root.path()).origin, "");
}

TEST(CpuList, ReadsTheKernelsNotation) {
  EXPECT_EQ(parse_cpu_list("0-3,8,10-11\n"), (std::vector<int>{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(parse_cpu_list(""), std::vector<int>{});
  for (const char* wrong : {"a", "3-1", "-1", "1,,2", "0-99999999", "1-"})
    EXPECT_FALSE(parse_cpu_list(wrong).has_value()) << wrong;
}

TEST(Meminfo, CountsInKibibytes) {
  EXPECT_EQ(meminfo_bytes("MemTotal:  2 kB\n", "MemTotal"), 2048);
  EXPECT_FALSE(meminfo_bytes("MemTotal:  2 MB\n", "MemTotal").has_value());
  EXPECT_FALSE(meminfo_bytes("MemTotal:  9223372036854775807 kB\n", "MemTotal").has_value());
}

}  // namespace
}  // namespace etalon::machine
