// SPDX-License-Identifier: Apache-2.0
// Every verb, in the order of `etalon --help`. A new one: its file here and its line below.
#pragma once

#include <vector>

#include "command_line/verb.h"

#define ETALON_VERBS(entry) \
  entry(run) entry(attach) entry(show) entry(list) entry(verify) entry(report) entry(help) entry(manual)

namespace etalon::command_line {

#define ETALON_DECLARE(name) Verb make_##name();
ETALON_VERBS(ETALON_DECLARE)
#undef ETALON_DECLARE

std::vector<Verb> make_verbs();

}  // namespace etalon::command_line
