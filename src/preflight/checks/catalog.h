// SPDX-License-Identifier: Apache-2.0
// Every preflight check, in the order of preflight.json. A new one: its file here and its line below.
#pragma once

#include <string>
#include <vector>

#include "preflight/preflight.h"

#define ETALON_CHECKS(entry) \
  entry(output_place) entry(disk_space) entry(worker_program) entry(usable_gpus) entry(host_memory) entry(platform)

namespace etalon::preflight {

struct Check {
  std::string id;  ///< group and number: "OUT-01"
  std::string title;
  Finding (*look)(const Context&);  ///< everything of the finding but id and title; never throws
};

#define ETALON_DECLARE(name) Check make_##name();
ETALON_CHECKS(ETALON_DECLARE)
#undef ETALON_DECLARE

std::vector<Check> make_checks();

}  // namespace etalon::preflight
