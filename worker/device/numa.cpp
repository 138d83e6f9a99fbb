// SPDX-License-Identifier: Apache-2.0
// Reads sysfs, as the kernel's documentation of numa_node and cpulist describes it.
#include "worker/device/numa.h"

#include <algorithm>
#include <fstream>

#include "base/number.h"
#include "machine/cpu_list.h"
#include "worker/device/cuda_driver.h"

namespace etalon::device {
namespace {

std::string first_line(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

}  // namespace

NearCpus cpus_near(const std::string& pci_address, const std::filesystem::path& system) {
  std::string address = pci_address;  // the driver writes it in capitals
  std::transform(address.begin(), address.end(), address.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'F' ? static_cast<char>(letter | 0x20) : letter;
  });
  const auto node = base::parse_integer(first_line(system / "bus/pci/devices" / address / "numa_node"));
  if (address.empty() || !node || *node < 0) return {};
  const auto folder = system / "devices/system/node" / ("node" + std::to_string(*node));
  return {static_cast<int>(*node),
          machine::parse_cpu_list(first_line(folder / "cpulist")).value_or(std::vector<int>())};
}

NearCpus cpus_near_gpu() {
  const DriverAnswer answer = ask_cuda_driver();
  return answer.card ? cpus_near(answer.card->pci_address) : NearCpus{};
}

}  // namespace etalon::device
