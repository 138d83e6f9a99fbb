// SPDX-License-Identifier: Apache-2.0
// The environment that this process was started with, and its workers inherit.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etalon::machine {

/// Names and values of /proc/self/environ below `root`, sorted by name; empty when it cannot be read.
std::vector<std::pair<std::string, std::string>> environment(const std::filesystem::path& root);

std::optional<std::string> environment_variable(const std::filesystem::path& root, std::string_view name);

}  // namespace etalon::machine
