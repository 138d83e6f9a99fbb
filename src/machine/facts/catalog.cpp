// SPDX-License-Identifier: Apache-2.0
// The table of collectors.
#include "machine/facts/catalog.h"

#include <array>

namespace etalon::machine {

std::span<const Collector> collectors() {
#define COLLECTOR_ENTRY(name) &collect_##name,
  static constexpr std::array table = {COLLECTORS(COLLECTOR_ENTRY)};
#undef COLLECTOR_ENTRY
  return table;
}

}  // namespace etalon::machine
