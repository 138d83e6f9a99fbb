// SPDX-License-Identifier: Apache-2.0
// When a launch reached the recipe's target loss, from its recorded evaluations and steps alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "dossier/dossier.h"
#include "dossier/events.h"
#include "recipe/recipe.h"

namespace etalon::dossier {

struct TargetOutcome {
  std::optional<EvalRecord> reached_by;  ///< the first evaluation that found the target's loss or less
  std::optional<EvalRecord> lowest;      ///< the evaluation with the lowest loss; the first of equal ones
  std::optional<EvalRecord> last_miss;   ///< the evaluation before reached_by
  std::int64_t training_ns = 0;  ///< of the steps before reached_by, from the start of the first; evaluations taken out
  std::int64_t evaluation_ns = 0;  ///< of all evaluations up to and with reached_by
  std::int64_t units = 0;          ///< trained before reached_by, all ranks
};

/// Of rank 0's held-out evaluations. Throws base::Error(verification_failed) when the steps before one are not recorded.
TargetOutcome target_outcome(const std::filesystem::path& launch_folder, const LaunchEvents& events,
                             double target_loss);

}  // namespace etalon::dossier
