// SPDX-License-Identifier: Apache-2.0
// The table of the families, made from the list.
#include "worker/workloads/catalog.h"

#include <array>

#include "worker/failure.h"

namespace etalon::workloads {
namespace {

#define ETALON_WORKLOAD_FAMILY(name) Family{#name, make_##name, models_of_##name},
constexpr std::array table{WORKLOADS(ETALON_WORKLOAD_FAMILY)};
#undef ETALON_WORKLOAD_FAMILY

}  // namespace

std::span<const Family> families() { return table; }

std::unique_ptr<Workload> make_workload(const Setting& setting) {
  std::string known;
  for (const Family& family : table) {
    if (family.name == setting.recipe.workload.family) {
      return family.make(setting);
    }
    known += (known.empty() ? "" : ", ") + std::string(family.name);
  }
  throw worker::unsupported(
      "workload family \"" + setting.recipe.workload.family + "\" is not served by the native worker",
      "set workload.family to one of: " + known);
}

}  // namespace etalon::workloads
