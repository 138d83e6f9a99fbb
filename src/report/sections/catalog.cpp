// SPDX-License-Identifier: Apache-2.0
#include "report/sections/catalog.h"

namespace etalon::report {

std::vector<SectionMaker> make_sections() {
#define ETALON_MAKE(name) make_##name(),
  return {ETALON_SECTIONS(ETALON_MAKE)};
#undef ETALON_MAKE
}

}  // namespace etalon::report
