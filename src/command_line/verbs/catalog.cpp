// SPDX-License-Identifier: Apache-2.0
#include "command_line/verbs/catalog.h"

namespace etalon::command_line {

std::vector<Verb> make_verbs() {
#define ETALON_MAKE(name) make_##name(),
  return {ETALON_VERBS(ETALON_MAKE)};
#undef ETALON_MAKE
}

}  // namespace etalon::command_line
