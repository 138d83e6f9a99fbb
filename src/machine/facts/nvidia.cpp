// SPDX-License-Identifier: Apache-2.0
// NVIDIA driver and GPUs, asked through NVML; and how many of them CUDA_VISIBLE_DEVICES leaves.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"
#include "machine/environment.h"
#include "machine/facts/catalog.h"
#include "machine/nvml.h"

namespace etalon::machine {
namespace {

FactState state_of_nvml(int code) {
  constexpr int not_loaded = -1;
  constexpr int not_supported = 3;
  constexpr int no_permission = 4;
  constexpr int driver_not_loaded = 9;
  if (code == not_loaded || code == not_supported || code == driver_not_loaded) return FactState::not_supported;
  return code == no_permission ? FactState::not_permitted : FactState::unknown;
}

template <typename Value>
Fact from_answer(const std::string& name, const std::string& meaning, const std::string& origin,
                 const NvmlAnswer<Value>& answer, const std::string& unit = {}) {
  if (answer.value) return Fact::known(name, meaning, origin, *answer.value, unit);
  return Fact::missing(name, meaning, origin, state_of_nvml(answer.code), answer.reason);
}

/// CUDA's own rule: the list ends at the first entry that names no device.
int visible_devices(std::string_view list, int devices) {
  int visible = 0;
  for (const std::string_view entry : base::split(list, ',')) {
    const std::string_view name = base::trim(entry);
    const auto index = base::parse_integer(name);
    const bool by_name = name.starts_with("GPU-") || name.starts_with("MIG-");
    if (!by_name && (!index || *index < 0 || *index >= devices)) break;
    ++visible;
  }
  return std::min(visible, devices);
}

Fact visible(const Fact& count, const CaptureOptions& options) {
  const std::string meaning = "GPUs that CUDA programs started from here can see";
  if (count.state != FactState::value)
    return Fact::missing("nvidia.gpus_visible", meaning, count.origin, count.state, count.reason);
  const auto devices = count.value.get<int>();
  const auto list = environment_variable(options.root, "CUDA_VISIBLE_DEVICES");
  if (!list) return Fact::known("nvidia.gpus_visible", meaning, count.origin, devices);
  return Fact::known("nvidia.gpus_visible", meaning, "CUDA_VISIBLE_DEVICES", visible_devices(*list, devices));
}

}  // namespace

std::vector<Fact> collect_nvidia(const CaptureOptions& options) {
  const Nvml nvml(options.nvml_library);
  std::vector<Fact> facts;
  facts.push_back(from_answer("nvidia.driver", "driver version", "nvmlSystemGetDriverVersion", nvml.driver_version()));
  const NvmlAnswer<unsigned> count = nvml.device_count();
  facts.push_back(from_answer("nvidia.gpus", "GPUs that the driver serves", "nvmlDeviceGetCount_v2", count));
  facts.push_back(visible(facts.back(), options));
  for (unsigned device = 0; device < count.value.value_or(0); ++device) {
    facts.push_back(from_answer(fmt::format("nvidia.{}.name", device), fmt::format("model of GPU {}", device),
                                "nvmlDeviceGetName", nvml.name(device)));
    facts.push_back(from_answer(fmt::format("nvidia.{}.memory", device), fmt::format("memory of GPU {}", device),
                                "nvmlDeviceGetMemoryInfo", nvml.memory_total_bytes(device), "bytes"));
  }
  return facts;
}

}  // namespace etalon::machine
