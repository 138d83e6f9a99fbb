// SPDX-License-Identifier: Apache-2.0
#include "preflight/checks/catalog.h"

namespace etalon::preflight {

std::vector<Check> make_checks() {
#define ETALON_MAKE(name) make_##name(),
  return {ETALON_CHECKS(ETALON_MAKE)};
#undef ETALON_MAKE
}

}  // namespace etalon::preflight
