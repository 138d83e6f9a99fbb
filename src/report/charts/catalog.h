// SPDX-License-Identifier: Apache-2.0
// Every chart of a report, in its order. A new one: its file here and its line below.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/document.h"
#include "report/launch_series.h"

// clang-format off
#define ETALON_CHARTS(entry) \
  entry(throughput)          \
  entry(window)              \
  entry(step_time)           \
  entry(loss)                \
  entry(power)               \
  entry(temperature)         \
  entry(clock)               \
  entry(memory)              \
  entry(use)
// clang-format on

namespace etalon::report {

struct ChartMaker {
  std::string name;
  std::string meaning;                                 ///< one phrase
  std::optional<Chart> (*make)(const Material&) = {};  ///< nothing when the dossier has no such series
};

#define ETALON_DECLARE(name) ChartMaker make_##name##_chart();
ETALON_CHARTS(ETALON_DECLARE)
#undef ETALON_DECLARE

std::vector<ChartMaker> all_charts();

}  // namespace etalon::report
