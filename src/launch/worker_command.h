// SPDX-License-Identifier: Apache-2.0
// Which program serves a recipe's engine, and how it is started.
#pragma once

#include <filesystem>
#include <optional>

#include "launch/job.h"
#include "recipe/recipe.h"

namespace etalon::launch {

/// etalon-torch: `configured` when given, else beside this executable, else in PATH. Throws base::Error(worker_failed)
/// saying how to build it.
std::filesystem::path find_native_worker(const std::optional<std::filesystem::path>& configured);

/// The command for `recipe.engine`; the socket is passed as ETALON_SOCKET. Throws base::Error(usage) for an engine that
/// this version does not have.
Command worker_command(const recipe::Recipe& recipe, const std::filesystem::path& socket,
                       const std::optional<std::filesystem::path>& configured);

}  // namespace etalon::launch
