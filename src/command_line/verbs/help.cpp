// SPDX-License-Identifier: Apache-2.0
// `etalon help [TOPIC]`: what a person wants to know besides options.
#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/text.h"
#include "command_line/topics.h"
#include "command_line/verbs/catalog.h"

namespace etalon::command_line {

namespace {

constexpr std::string_view title_mark = "# ";

std::string title_of(const Topic& topic) {
  const std::string_view first_line = std::string_view(topic.text).substr(0, topic.text.find('\n'));
  return std::string(first_line.substr(title_mark.size()));
}

/// Markdown as it is, but for the marks before headings.
std::string without_marks(const std::string& text) {
  std::string shown;
  for (std::string_view line : base::split(base::trim(text), '\n')) {
    if (const std::size_t words = line.find_first_not_of('#'); words > 0 && words < line.size() && line[words] == ' ')
      line.remove_prefix(words + 1);
    shown += std::string(line) + "\n";
  }
  return shown;
}

void list_topics() {
  std::vector<std::vector<std::string>> rows;
  for (const Topic& topic : topics()) rows.push_back({"etalon help " + topic.name, title_of(topic)});
  std::cout << "Topics:\n" << base::columns(rows) << "\nVerbs and options: etalon --help, etalon VERB --help\n";
}

base::ExitCode help(const std::string& name) {
  if (name.empty()) {
    list_topics();
    return base::ExitCode::ok;
  }
  const auto found = std::ranges::find(topics(), name, &Topic::name);
  if (found != topics().end()) {
    std::cout << without_marks(found->text);
    return base::ExitCode::ok;
  }
  std::vector<std::string> names;
  for (const Topic& topic : topics()) names.push_back(topic.name);
  const std::string near = base::nearest(name, names);
  throw base::Error(base::ExitCode::usage, fmt::format("there is no topic \"{}\"", base::printable(name, 60)),
                    near.empty() ? "see `etalon help`; options: `etalon VERB --help`"
                                 : fmt::format("did you mean `etalon help {}`?", near));
}

Action define_help(CLI::App& app) {
  const auto topic = std::make_shared<std::string>();
  app.add_option("TOPIC", *topic, "one of the topics that `etalon help` lists");
  return [topic](const Invocation&) { return help(*topic); };
}

}  // namespace

Verb make_help() {
  return {.name = "help",
          .summary = "explain the method, the verdicts, recipes, and what to do when something is wrong",
          .description =
              "Prints a topic, or without one the list of topics: how a figure is made, what a verdict and an exit "
              "code mean, how "
              "recipes are found and overridden, and what to do when something is wrong.",
          .examples = {"etalon help", "etalon help verdicts", "etalon help troubleshooting"},
          .define = define_help};
}

}  // namespace etalon::command_line
