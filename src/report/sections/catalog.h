// SPDX-License-Identifier: Apache-2.0
// Every section of a report, in its order. A new one: its file here and its line below.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/document.h"
#include "report/launch_series.h"

// clang-format off
#define ETALON_SECTIONS(entry) \
  entry(headline)              \
  entry(target)                \
  entry(charts)                \
  entry(limits)                \
  entry(launches)              \
  entry(values)                \
  entry(data)                  \
  entry(workload)              \
  entry(settings)              \
  entry(memory)                \
  entry(telemetry)             \
  entry(machine)               \
  entry(checks)                \
  entry(reproduce)             \
  entry(files)
// clang-format on

namespace etalon::report {

struct SectionMaker {
  std::string name;
  std::string meaning;  ///< one phrase
  /// From the dossier with its series, or from the dossier alone. Never throws for what a dossier lacks: it says so.
  std::function<Section(const Material&)> make;
};

#define ETALON_DECLARE(name) SectionMaker make_##name();
ETALON_SECTIONS(ETALON_DECLARE)
#undef ETALON_DECLARE

std::vector<SectionMaker> make_sections();

}  // namespace etalon::report
