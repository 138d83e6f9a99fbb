// SPDX-License-Identifier: Apache-2.0
// VRT-01: stamps what reference figures should not come from, or what nobody has tried.
#include <fmt/format.h>

#include "preflight/checks/catalog.h"

namespace etalon::preflight {

namespace {

Finding look_at_platform(const Context& context) {
  const machine::Machine& machine = context.machine;
  Finding finding{.level = Level::pass,
                  .evidence = machine.architecture,
                  .reason = "a figure is compared with figures of the same kind of platform"};
  if (machine.architecture.empty()) {
    finding.level = Level::not_checked;
    finding.reason = "the architecture of this machine is not known";
  } else if (machine.architecture != "x86_64") {
    finding.level = Level::info;
    finding.evidence = fmt::format("{}: étalon has not been tried on this architecture", machine.architecture);
  }
  if (machine.wsl) {
    finding.level = Level::info;
    finding.evidence += "; WSL2: the GPU is reached through Windows' driver, which costs time";
    finding.remedy = "for reference figures use Linux on the bare machine";
  }
  return finding;
}

}  // namespace

Check make_platform() { return {"VRT-01", "the platform is one that has been tried", look_at_platform}; }

}  // namespace etalon::preflight
