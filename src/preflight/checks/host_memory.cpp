// SPDX-License-Identifier: Apache-2.0
// MEM-02: has the host the memory that any worker needs? PyTorch alone takes some hundred megabytes; what a model adds is
// not known here.
#include <fmt/format.h>

#include "base/text.h"
#include "preflight/checks/catalog.h"

namespace etalon::preflight {

namespace {

constexpr double least_bytes = 1024.0 * 1024 * 1024;

Finding look_at_host_memory(const Context& context) {
  Finding finding{.level = Level::pass, .reason = "PyTorch, its libraries and the corpus alone take most of 1 GiB"};
  const machine::Fact* available = context.machine.find("memory.available");
  const bool known =
      available != nullptr && available->state == machine::FactState::value && available->value.is_number();
  const double total = static_cast<double>(context.machine.memory_bytes);
  if (!known && total <= 0) {
    finding.level = Level::not_checked;
    finding.reason = "the size of this machine's memory is not known";
    return finding;
  }
  const double bytes = known ? available->value.get<double>() : total;
  finding.evidence = known
                         ? fmt::format("{} available of {}", base::human_bytes(bytes), base::human_bytes(total))
                         : fmt::format("{} in all; how much of it is available is not known", base::human_bytes(total));
  if (bytes < least_bytes) {
    finding.level = Level::fail;
    finding.remedy = "close other programs, or raise the memory of the container or virtual machine";
  }
  return finding;
}

}  // namespace

Check make_host_memory() { return {"MEM-02", "the host has memory for a worker", look_at_host_memory}; }

}  // namespace etalon::preflight
