// SPDX-License-Identifier: Apache-2.0
// GPU-01: are as many NVIDIA GPUs usable through the driver as the recipe asks for?
#include <fmt/format.h>

#include "preflight/checks/catalog.h"

namespace etalon::preflight {

namespace {

Finding look_at_usable_gpus(const Context& context) {
  Finding finding{.level = Level::pass, .reason = "a recipe for GPUs cannot run without them"};
  if (context.recipe.engine.device == "cpu") {
    finding.evidence = "the recipe trains on the CPU";
    return finding;
  }
  const std::int64_t asked = context.recipe.launch.gpus;
  finding.evidence = fmt::format("{} usable, {} asked for", context.machine.nvidia_gpus, asked);
  if (context.machine.nvidia_gpus < asked) {
    finding.level = Level::fail;
    finding.remedy = context.machine.nvidia_gpus == 0
                         ? "see whether nvidia-smi lists a GPU (driver loaded? devices visible in the container?), or "
                           "run the recipe nano on the CPU"
                         : fmt::format("--set launch.gpus={}", context.machine.nvidia_gpus);
  }
  return finding;
}

}  // namespace

Check make_usable_gpus() { return {"GPU-01", "the GPUs asked for are usable", look_at_usable_gpus}; }

}  // namespace etalon::preflight
