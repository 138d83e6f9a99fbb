// SPDX-License-Identifier: Apache-2.0
// A recorded run of TinyLlama on an H200, when it is at hand (ETALON_TEST_DATA): the figure a reader would work out by hand.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "statistics/interval.h"
#include "statistics/series.h"

namespace etalon::statistics {
namespace {

std::filesystem::path trace_file() {
  const char* place = std::getenv("ETALON_TEST_DATA");
  const std::filesystem::path data = place ? place : std::string(ETALON_SOURCE_ROOT) + "/../shared";
  return data / "traces" / "h200-llm" / "steps.csv";
}

/// Durations from the end of one step to the end of the next, step 0 (lazy initialisation) left out.
std::vector<StepSample> trace_steps() {
  std::ifstream file(trace_file());
  std::string line;
  std::getline(file, line);
  std::vector<StepSample> steps;
  std::int64_t previous_end = 0;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::int64_t index = 0, begin_ns = 0, end_ns = 0, units = 0;
    double gpu_ms = 0;
    char comma = 0;
    cells >> index >> comma >> begin_ns >> comma >> end_ns >> comma >> gpu_ms >> comma >> units;
    if (previous_end > 0) steps.push_back({units, end_ns - previous_end});
    previous_end = end_ns;
  }
  return steps;
}

TEST(RecordedTrace, GivesTheKnownThroughputOfItsSteadyPart) {
  const std::vector<StepSample> steps = trace_steps();
  if (steps.empty()) GTEST_SKIP() << "no data";
  ASSERT_EQ(steps.size(), 855U);
  const std::span<const StepSample> steady = std::span<const StepSample>(steps).subspan(300);
  const Throughput result = throughput(steady, {});
  EXPECT_NEAR(result.units_per_second.value, 48'900, 250);
  EXPECT_LT(result.units_per_second.relative_half_width(), 0.002);
  EXPECT_LT(std::abs(halves_drift(steady)), 0.002) << "its README says about 0.2 %";
}

}  // namespace
}  // namespace etalon::statistics
