// SPDX-License-Identifier: Apache-2.0
// Operating system, kernel, architecture, C library, and what lies between them and the hardware.
#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <initializer_list>

#include "base/text.h"
#include "machine/facts/catalog.h"
#include "machine/system_file.h"

namespace etalon::machine {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return text;
}

Fact operating_system(const std::filesystem::path& root) {
  const std::string meaning = "operating system";
  int error_number = 0;
  for (const char* name : {"/etc/os-release", "/usr/lib/os-release"}) {
    const SystemText read = read_system_file(root, name);
    if (error_number == 0) error_number = read.error_number;
    if (!read.ok()) continue;
    std::string pretty = value_of_key(read.text, "PRETTY_NAME", '=').value_or("");
    std::erase_if(pretty, [](char c) { return c == '"' || c == '\''; });
    if (!pretty.empty()) return Fact::known("system.name", meaning, name, pretty);
    return Fact::missing("system.name", meaning, name, FactState::unknown, "it has no PRETTY_NAME");
  }
  return Fact::unreadable("system.name", meaning, "/etc/os-release", error_number);
}

Fact kernel(const std::filesystem::path& root) {
  const std::string origin = "/proc/sys/kernel/osrelease";
  const SystemText read = read_system_file(root, origin);
  if (!read.ok()) return Fact::unreadable("system.kernel", "kernel release", origin, read.error_number);
  return Fact::known("system.kernel", "kernel release", origin, std::string(base::trim(read.text)));
}

Fact architecture(const std::filesystem::path& root) {
  const SystemText read = read_system_file(root, "/proc/sys/kernel/arch");  // since Linux 6.1
  if (read.ok() && !base::trim(read.text).empty())
    return Fact::known("system.architecture", "instruction set", "/proc/sys/kernel/arch",
                       std::string(base::trim(read.text)));
  utsname names{};
  if (::uname(&names) != 0) return Fact::unreadable("system.architecture", "instruction set", "uname", errno);
  return Fact::known("system.architecture", "instruction set", "uname", std::string(names.machine));
}

Fact wsl(const std::filesystem::path& root) {
  const std::string origin = "/proc/sys/kernel/osrelease";
  const SystemText read = read_system_file(root, origin);
  if (!read.ok())
    return Fact::unreadable("system.wsl", "runs under Windows Subsystem for Linux", origin, read.error_number);
  const bool microsoft = lower(read.text).find("microsoft") != std::string::npos;
  return Fact::known("system.wsl", "runs under Windows Subsystem for Linux", origin, microsoft);
}

Fact virtualisation(const std::filesystem::path& root) {
  const std::string meaning = "virtual machine monitor, \"none\" on bare metal";
  std::string product;
  for (const char* name : {"/sys/class/dmi/id/sys_vendor", "/sys/class/dmi/id/product_name"}) {
    const SystemText read = read_system_file(root, name);
    if (!read.ok()) continue;
    if (!product.empty()) product += ' ';
    product += base::trim(read.text);
  }
  const SystemText type = read_system_file(root, "/sys/hypervisor/type");
  if (type.ok() && !base::trim(type.text).empty())
    return Fact::known("system.virtualisation", meaning, "/sys/hypervisor/type", std::string(base::trim(type.text)));
  const SystemText cpu = read_system_file(root, "/proc/cpuinfo");
  if (!cpu.ok()) return Fact::unreadable("system.virtualisation", meaning, "/proc/cpuinfo", cpu.error_number);
  const std::string flags = " " + value_of_key(cpu.text, "flags", ':').value_or("") + " ";
  const bool guest = flags.find(" hypervisor ") != std::string::npos;
  if (guest) {
    return Fact::known("system.virtualisation", meaning, "/proc/cpuinfo flags, /sys/class/dmi/id",
                       product.empty() ? std::string("unnamed hypervisor") : product);
  }
  // Only x86 has that flag: elsewhere its absence says nothing.
  if (flags.size() > 2) return Fact::known("system.virtualisation", meaning, "/proc/cpuinfo flags", "none");
  return Fact::missing("system.virtualisation", meaning, "/proc/cpuinfo", FactState::unknown,
                       "this processor lists no flags");
}

Fact container(const std::filesystem::path& root) {
  const std::string meaning = "container runtime, \"none\" outside containers";
  struct Hint {
    const char* file;
    const char* runtime;
  };
  for (const Hint hint : {Hint{"/.dockerenv", "docker"}, Hint{"/run/.containerenv", "podman"}}) {
    if (read_system_file(root, hint.file, 1).ok())
      return Fact::known("system.container", meaning, hint.file, hint.runtime);
  }
  const SystemText manager = read_system_file(root, "/run/systemd/container", 256);
  if (manager.ok())
    return Fact::known("system.container", meaning, "/run/systemd/container", std::string(base::trim(manager.text)));
  for (const char* name : {"/proc/1/cgroup", "/proc/self/cgroup"}) {
    const SystemText groups = read_system_file(root, name);
    for (const char* runtime : {"kubepods", "docker", "containerd", "lxc", "apptainer", "singularity"}) {
      if (groups.text.find(runtime) != std::string::npos)
        return Fact::known("system.container", meaning, name, runtime);
    }
  }
  return Fact::known("system.container", meaning, "/.dockerenv, /run, /proc/1/cgroup", "none");
}

}  // namespace

std::vector<Fact> collect_system(const CaptureOptions& options) {
  return {
      operating_system(options.root),
      kernel(options.root),
      architecture(options.root),
      Fact::known("system.c_library", "GNU C library of this process", "gnu_get_libc_version", gnu_get_libc_version()),
      virtualisation(options.root),
      container(options.root),
      wsl(options.root)};
}

}  // namespace etalon::machine
