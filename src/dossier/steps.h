// SPDX-License-Identifier: Apache-2.0
// steps.csv row by row, the ranks joined into the steps of the whole training, in constant memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "dossier/events.h"

namespace etalon::dossier {

/// One step over all ranks: it ends when its last rank ends it.
struct JoinedStep {
  std::int64_t index = 0;
  std::int64_t start_ns = 0;     ///< of the first rank
  std::int64_t end_ns = 0;       ///< of the last rank
  std::int64_t duration_ns = 0;  ///< since the end of the step before (the first: its start), evaluations taken out
  std::int64_t waiting_ns = 0;   ///< the part of it before any rank began the step
  std::int64_t units = 0;
  std::optional<std::int64_t> gpu_ns;        ///< of the slowest rank; only when every rank reported it
  std::optional<double> loss_nats;           ///< mean of the ranks that read it
  std::optional<std::int64_t> data_wait_ns;  ///< of rank 0; only when it told
};

/// Calls `visit` for every step that all ranks finished, in order. Throws base::Error(verification_failed) naming file and
/// row for what is no series of steps.
void for_each_step(const std::filesystem::path& launch_folder, const LaunchEvents& events,
                   const std::function<void(const JoinedStep&)>& visit);

}  // namespace etalon::dossier
