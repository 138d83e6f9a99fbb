// SPDX-License-Identifier: Apache-2.0
// Which CPUs are near a GPU: memory that they touch first lies on its side of the machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace etalon::device {

struct NearCpus {
  int node = -1;          ///< NUMA node, -1 where the machine tells none
  std::vector<int> cpus;  ///< empty where it tells none
};

/// By `pci_address` ("0000:3b:00.0") from the files below `system` (sysfs); nothing where they do not say.
NearCpus cpus_near(const std::string& pci_address, const std::filesystem::path& system = "/sys");

/// The same of the first visible GPU.
NearCpus cpus_near_gpu();

}  // namespace etalon::device
