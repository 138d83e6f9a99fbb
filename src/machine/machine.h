// SPDX-License-Identifier: Apache-2.0
// Where a run happens: facts captured before it starts, each with its origin. Identifying values are pseudonymised.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "machine/fact.h"

namespace etalon::machine {

struct Machine {
  std::vector<Fact> facts;
  int cpu_count = 1;                       ///< CPUs this process may use
  std::uint64_t memory_bytes = 0;
  int nvidia_gpus = 0;                     ///< usable through the driver, 0 without one
  std::string architecture;                ///< uname: "x86_64", "aarch64"
  bool wsl = false;
  const Fact* find(std::string_view name) const;
};

struct CaptureOptions {
  std::filesystem::path root = "/";        ///< tests put a fake /proc and /sys below another root
  std::string nvml_library = "libnvidia-ml.so.1";
  bool identify = false;                   ///< keep host and user names instead of pseudonyms
};

Machine capture(const CaptureOptions& options);

/// "host-3fa9c1…": stable on one machine, and not to be traced back without it.
std::string pseudonym(std::string_view kind, std::string_view value);

base::Json to_json(const Machine& machine);

}  // namespace etalon::machine
