// SPDX-License-Identifier: Apache-2.0
// The table of sources.
#include "worker/data/sources/catalog.h"

#include <array>

namespace etalon::data {

std::span<const SourceKind> source_kinds() {
#define ETALON_MAKE_SOURCE(name) name##_source(),
  static const std::array kinds = {TOKEN_SOURCES(ETALON_MAKE_SOURCE)};
#undef ETALON_MAKE_SOURCE
  return kinds;
}

}  // namespace etalon::data
