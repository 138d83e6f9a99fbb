// SPDX-License-Identifier: Apache-2.0
// The measured window of a launch, read back from steps.csv: per step the units of all ranks and the time it took.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "dossier/events.h"
#include "measure/recording.h"
#include "recipe/recipe.h"
#include "statistics/interval.h"

namespace etalon::dossier {

/// A step ends when its last rank ends it; its time runs from the end of the step before (the very first: from its earliest
/// start), less what evaluations of any rank took of it.
struct WindowSeries {
  std::int64_t start_ns = 0;  ///< end of the step before the window, or start of step 0
  std::int64_t end_ns = 0;
  std::int64_t excluded_ns = 0;  ///< evaluations inside
  std::vector<statistics::StepSample> steps;
};

/// How throughput is estimated for a recipe: what the gates saw, and what headline and verify compute again.
statistics::ThroughputSettings throughput_settings(const recipe::Recipe& recipe);

/// Throws base::Error(verification_failed) when the file does not hold every step of the window for every rank.
WindowSeries read_steps_window(const std::filesystem::path& steps, const measure::Window& window,
                               const LaunchEvents& events);
/// The same of the launch's steps.csv.
WindowSeries read_window(const std::filesystem::path& launch_folder, const measure::Window& window,
                         const LaunchEvents& events);

}  // namespace etalon::dossier
