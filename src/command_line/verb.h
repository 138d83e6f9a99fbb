// SPDX-License-Identifier: Apache-2.0
// A verb of the command line: adds its options, then runs. One file per verb in verbs/, one line in verbs/catalog.h.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/exit_code.h"

namespace CLI {
class App;
}

namespace etalon::command_line {

/// What was typed, word by word: part of a dossier.
using Invocation = std::vector<std::string>;

/// Runs after parsing; the option values that it needs are captured by the verb itself.
using Action = std::function<base::ExitCode(const Invocation&)>;

struct Verb {
  std::string name;
  std::string summary;                      ///< one line of `etalon --help`
  std::string description;                  ///< a paragraph or more: the verb's own --help and the man page
  std::vector<std::string> examples;        ///< complete command lines
  std::function<Action(CLI::App&)> define;  ///< adds arguments and options to the verb's sub-command
  bool takes_recipe = false;                ///< its argument is a recipe: completions offer their names
  bool hidden = false;                      ///< not in help: for packaging and tests
};

const std::vector<Verb>& all_verbs();

/// The whole command line as CLI11 sees it: one sub-command per verb. `chosen` holds the parsed verb's action afterwards.
struct CommandLine {
  std::unique_ptr<CLI::App> app;
  std::shared_ptr<Action> chosen;
};
CommandLine make_command_line();

/// Parses and runs. Help goes to standard output; what is wrong comes out as base::Error.
base::ExitCode run_command_line(int argc, const char* const* argv);

}  // namespace etalon::command_line
