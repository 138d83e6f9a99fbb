// SPDX-License-Identifier: Apache-2.0
// The raw series of one launch, row by row: structure, order, and agreement with what the worker declared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "dossier/columns.h"
#include "dossier/events.h"
#include "dossier/verify.h"

namespace etalon::dossier {

struct RankSeries {
  std::int64_t steps = 0;
  std::int64_t units = 0;
  std::int64_t first_start_ns = 0;
  std::int64_t last_start_ns = 0;
  std::int64_t last_end_ns = 0;
};

struct StepsSummary {
  std::vector<RankSeries> ranks;
  bool torn = false;
};

/// `place` stands for the file in findings. Deviations of rows become findings (the first ten of a file, then their number);
/// throws base::Error(verification_failed) for what is no CSV at all.
StepsSummary check_steps(const std::filesystem::path& file, const std::string& place, const LaunchEvents& events,
                         std::vector<Finding>& findings);

struct TelemetrySummary {
  std::size_t rows = 0;
  bool torn = false;
};

TelemetrySummary check_telemetry(const std::filesystem::path& file, const std::string& place,
                                 const std::vector<Column>& columns, std::vector<Finding>& findings);

}  // namespace etalon::dossier
