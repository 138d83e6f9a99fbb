// SPDX-License-Identifier: Apache-2.0
#include "command_line/verb.h"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/text.h"
#include "base/version.h"
#include "command_line/manual.h"
#include "command_line/verbs/catalog.h"

namespace etalon::command_line {

namespace {

constexpr std::size_t help_width = 110;

std::string version_text() {
  const base::Build& build = base::build();
  return fmt::format("etalon {}\ncommit {}\nbuild {}, {}", build.version, build.commit, build.type, build.compiler);
}

std::string footer(const Verb& verb) {
  std::string text = base::wrapped(verb.description, help_width) + "\n\nExamples:";
  for (const std::string& example : verb.examples) text += "\n  " + example;
  return text;
}

void add_verb(CLI::App& app, const Verb& verb, const std::shared_ptr<Action>& chosen) {
  CLI::App* command = app.add_subcommand(verb.name, verb.summary);
  command->footer(footer(verb));
  command->group(verb.hidden ? "" : "Verbs");
  const Action action = verb.define(*command);
  command->final_callback([action, chosen] { *chosen = action; });
}

/// CLI11's own words name no next step; a mistyped verb deserves its neighbour.
base::Error usage_error(const CLI::ParseError& error, int argc, const char* const* argv) {
  std::vector<std::string> names;
  for (const Verb& verb : all_verbs())
    if (!verb.hidden) names.push_back(verb.name);
  const std::string word = argc > 1 ? argv[1] : "";
  const bool verb_known = std::ranges::find(names, word) != names.end();
  if (!word.empty() && word.front() != '-' && !verb_known) {
    const std::string near = base::nearest(word, names);
    return base::Error(base::ExitCode::usage, fmt::format("there is no verb \"{}\"", base::printable(word, 60)),
                       near.empty() ? "see `etalon --help`" : fmt::format("did you mean `etalon {}`?", near));
  }
  return base::Error(base::ExitCode::usage, base::printable(error.what(), 500),
                     verb_known ? fmt::format("see `etalon {} --help`", word) : "see `etalon --help`");
}

}  // namespace

const std::vector<Verb>& all_verbs() {
  static const std::vector<Verb> verbs = make_verbs();
  return verbs;
}

CommandLine make_command_line() {
  CommandLine result{
      std::make_unique<CLI::App>("étalon measures GPU training speed so that the number survives scrutiny.", "etalon"),
      std::make_shared<Action>()};
  result.app->set_version_flag("--version", version_text(), "print version, commit and build");
  result.app->require_subcommand(0, 1);
  result.app->footer(closing_notes());
  result.app->get_formatter()->column_width(34);
  result.app->get_formatter()->label("SUBCOMMAND", "VERB");
  for (const Verb& verb : all_verbs()) add_verb(*result.app, verb, result.chosen);
  return result;
}

base::ExitCode run_command_line(int argc, const char* const* argv) {
  CommandLine command_line = make_command_line();
  try {
    command_line.app->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << command_line.app->help();
    return base::ExitCode::ok;
  } catch (const CLI::CallForVersion&) {
    std::cout << version_text() << "\n";
    return base::ExitCode::ok;
  } catch (const CLI::ParseError& error) {
    throw usage_error(error, argc, argv);
  }
  if (*command_line.chosen) return (*command_line.chosen)(Invocation(argv, argv + argc));
  std::cout << command_line.app->help();
  return base::ExitCode::ok;
}

}  // namespace etalon::command_line
