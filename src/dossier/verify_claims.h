// SPDX-License-Identifier: Apache-2.0
// What dossier.json claims, held against the recipe and against what the series show.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "dossier/document.h"
#include "dossier/events.h"
#include "dossier/verify.h"
#include "dossier/verify_series.h"
#include "recipe/resolve.h"

namespace etalon::dossier {

/// Values whose origin is the recipe are those that recipe.toml gives, and none of recipe.toml is lost.
/// Returns the number of keys compared; throws base::Error when recipe.toml does not parse.
std::size_t check_recipe(std::string_view recipe_toml, const base::Json& resolved, std::vector<Finding>& findings);

/// Counts of the done events, window, gates and verdict of one launch.
void check_launch(const LaunchRecord& launch, const StepsSummary& steps, const LaunchEvents& events,
                  std::vector<Finding>& findings);

/// What a steady launch must show of itself: warm-up, length, batches, interval and drift of its window, recomputed and
/// held against the thresholds of the recipe.
void check_steady(const std::filesystem::path& folder, const LaunchRecord& launch, const StepsSummary& steps,
                  const LaunchEvents& events, const recipe::Recipe& recipe, std::vector<Finding>& findings);

/// The controller's target_reached event against the evaluations: it is there exactly when one of them reached the recipe's
/// target, and names the first that did.
void check_target(const LaunchRecord& launch, const LaunchEvents& events, const recipe::Recipe& recipe,
                  std::vector<Finding>& findings);

/// The run's verdict against those of its launches and the profile.
void check_verdict(const Document& document, const recipe::Recipe& recipe, std::vector<Finding>& findings);

/// Every headline value recomputed from the files and compared bit for bit. Returns the number that agree.
std::size_t check_headline(const std::filesystem::path& folder, const Document& document, const recipe::Recipe& recipe,
                           std::vector<Finding>& findings);

}  // namespace etalon::dossier
