// SPDX-License-Identifier: Apache-2.0
// Man page and shell completions, made from the same verbs and options as --help, so that they cannot differ.
#pragma once

#include <string>

#include "command_line/verb.h"

namespace etalon::command_line {

/// What stands under the verbs in `etalon --help` and in the man page: exit codes, files, environment.
std::string closing_notes();

std::string man_page(const CommandLine& command_line);
std::string bash_completion(const CommandLine& command_line);
std::string zsh_completion(const CommandLine& command_line);
std::string fish_completion(const CommandLine& command_line);

}  // namespace etalon::command_line
