// SPDX-License-Identifier: Apache-2.0
// A verb of the command line: adds its options, then runs. One file per verb, one line in catalog.h.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/exit_code.h"

namespace CLI {
class App;
}

namespace etalon::command_line {

/// Runs after parsing; the values it needs are captured by the verb itself.
using Action = std::function<base::ExitCode()>;

struct Verb {
  std::string name;
  std::string summary;                              ///< one line of --help
  std::string description;                          ///< a paragraph or two: --help of the verb and the man page
  std::vector<std::string> examples;
  std::function<Action(CLI::App&)> define;          ///< adds options to the verb's own sub-command
};

const std::vector<Verb>& all_verbs();

/// Parses the command line and runs the verb; errors come out as base::Error, help is printed here.
base::ExitCode run_command_line(int argc, const char* const* argv);

}  // namespace etalon::command_line
