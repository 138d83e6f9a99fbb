// SPDX-License-Identifier: Apache-2.0
// Going on without the terminal that started it.
#pragma once

#include <filesystem>

#include <sys/types.h>

namespace etalon::command_line {

/// Forks; must be called before any thread exists. In the child (a session of its own, no terminal, SIGHUP ignored,
/// output appended to `output`) it returns 0; in the parent the child's number. Throws base::Error(internal).
pid_t continue_detached(const std::filesystem::path& output);

}  // namespace etalon::command_line
