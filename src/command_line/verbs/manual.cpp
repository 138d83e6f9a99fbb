// SPDX-License-Identifier: Apache-2.0
// `etalon manual FORMAT`: what the packages install beside the program.
#include <iostream>
#include <map>

#include <CLI/CLI.hpp>

#include "command_line/manual.h"
#include "command_line/verbs/catalog.h"

namespace etalon::command_line {

namespace {

using Maker = std::string (*)(const CommandLine&);

const std::map<std::string, Maker>& formats() {
  static const std::map<std::string, Maker> makers{
      {"man", man_page},
      {"bash", bash_completion},
      {"zsh", zsh_completion},
      {"fish", fish_completion},
  };
  return makers;
}

Action define_manual(CLI::App& app) {
  const auto format = std::make_shared<std::string>();
  app.add_option("FORMAT", *format, "man, bash, zsh or fish")->required()->check(CLI::IsMember(formats()));
  return [format](const Invocation&) {
    std::cout << formats().at(*format)(make_command_line());
    return base::ExitCode::ok;
  };
}

}  // namespace

Verb make_manual() {
  return {.name = "manual",
          .summary = "print the man page or a shell's completions",
          .description = "Prints the man page (man) or the completions for a shell (bash, zsh, fish).",
          .examples = {"etalon manual man | man -l -"},
          .define = define_manual,
          .hidden = true};
}

}  // namespace etalon::command_line
