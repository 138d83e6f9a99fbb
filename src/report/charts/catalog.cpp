// SPDX-License-Identifier: Apache-2.0
#include "report/charts/catalog.h"

namespace etalon::report {

std::vector<ChartMaker> all_charts() {
#define ETALON_MAKE(name) make_##name##_chart(),
  return {ETALON_CHARTS(ETALON_MAKE)};
#undef ETALON_MAKE
}

}  // namespace etalon::report
