// SPDX-License-Identifier: Apache-2.0
// Finds programs in PATH and lays out the environment of a command.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "launch/job.h"

namespace etalon::launch {

/// `program` itself when it names a place ("./x", "/bin/x"), else the first executable of that name in PATH.
/// Throws base::Error(worker_failed) when there is none, when it is a folder, or when it may not be executed.
std::filesystem::path find_program(const std::filesystem::path& program);

/// The same search without the throw: empty when PATH has none.
std::filesystem::path search_path(std::string_view name);

/// This process's environment with the command's changes, as "NAME=value".
std::vector<std::string> environment_of(const Command& command);

}  // namespace etalon::launch
