// SPDX-License-Identifier: Apache-2.0
// Where a run happens: facts captured before it starts, each with its origin. Identifying values are pseudonymised.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "machine/conceal.h"
#include "machine/fact.h"

namespace etalon::machine {

struct Machine {
  std::vector<Fact> facts;
  int cpu_count = 1;               ///< CPUs this process may use: affinity, and a cgroup's quota rounded down
  std::uint64_t memory_bytes = 0;  ///< this process may use: the machine's, or a cgroup's limit; 0 when unknown
  int nvidia_gpus = 0;             ///< usable through the driver and CUDA_VISIBLE_DEVICES, 0 without one
  std::string architecture;        ///< uname: "x86_64", "aarch64"
  bool wsl = false;
  bool identified = false;  ///< captured with `identify`: nothing of this run is pseudonymised
  /// nullptr when there is no fact of that name.
  const Fact* find(std::string_view name) const;
};

struct CaptureOptions {
  std::filesystem::path root = "/";  ///< tests put a fake /proc and /sys below another root
  std::string nvml_library = "libnvidia-ml.so.1";
  bool identify = false;  ///< keep host and user names instead of pseudonyms
};

/// Never throws for what a machine lacks: that is a fact of its own.
Machine capture(const CaptureOptions& options);

/// {"facts": […]}
base::Json to_json(const Machine& machine);

}  // namespace etalon::machine
