// SPDX-License-Identifier: Apache-2.0
// Every section of a report, in its order. A new one: its file here and its line below.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

// clang-format off
#define ETALON_SECTIONS(entry) \
  entry(headline)              \
  entry(target)                \
  entry(launches)              \
  entry(data)                  \
  entry(workload)              \
  entry(settings)              \
  entry(telemetry)             \
  entry(machine)               \
  entry(checks)                \
  entry(reproduce)             \
  entry(files)
// clang-format on

namespace etalon::report {

struct SectionMaker {
  std::string name;
  std::string meaning;                       ///< one phrase
  Section (*make)(const dossier::Dossier&);  ///< never throws for what a dossier lacks: it says so
};

#define ETALON_DECLARE(name) SectionMaker make_##name();
ETALON_SECTIONS(ETALON_DECLARE)
#undef ETALON_DECLARE

std::vector<SectionMaker> make_sections();

}  // namespace etalon::report
