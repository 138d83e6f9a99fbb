// SPDX-License-Identifier: Apache-2.0
// One table gives both the parser and the help.
#include "worker/arguments.h"

#include <array>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"

namespace etalon::worker {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw base::Error(base::ExitCode::usage, what, "see etalon-torch --help");
}

struct Option {
  std::string_view name;
  std::string_view argument;
  std::string_view meaning;
  void (*apply)(Arguments& arguments, const std::string& value);
};

constexpr std::array<Option, 6> options{{
    {"--order", "FILE",
     "train the recipe in this JSON file (recipe.resolved.json will do) and write the events to standard output",
     [](Arguments& arguments, const std::string& value) { arguments.order = value; }},
    {"--steps", "N", "with --order: finish after N steps instead of the recipe's total_steps",
     [](Arguments& arguments, const std::string& value) {
       arguments.steps = base::parse_integer(value);
       if (!arguments.steps || *arguments.steps < 0) {
         refuse("--steps needs a number of steps, not \"" + value + "\"");
       }
     }},
    {"--initialisation", "normal|fill",
     "with --order: first values of the parameters; fill is for comparing implementations",
     [](Arguments& arguments, const std::string& value) { arguments.initialisation = value; }},
    {"--list", "", "families, models and data sources as JSON",
     [](Arguments& arguments, const std::string&) { arguments.list = true; }},
    {"--version", "", "version of étalon and of LibTorch",
     [](Arguments& arguments, const std::string&) { arguments.version = true; }},
    {"--help", "", "this text", [](Arguments& arguments, const std::string&) { arguments.help = true; }},
}};

const Option& find(const std::string& word) {
  for (const Option& option : options) {
    if (option.name == word) {
      return option;
    }
  }
  refuse("etalon-torch knows no option \"" + base::printable(word, 100) + "\"");
}

}  // namespace

Arguments parse_arguments(int count, char** words) {
  Arguments arguments;
  for (int index = 1; index < count; ++index) {
    const Option& option = find(words[index]);
    const bool takes_value = !option.argument.empty();
    if (takes_value && index + 1 == count) {
      refuse(std::string(option.name) + " needs " + std::string(option.argument));
    }
    option.apply(arguments, takes_value ? words[++index] : "");
  }
  if (!arguments.order && (arguments.steps || arguments.initialisation != "normal")) {
    refuse("--steps and --initialisation go with --order");
  }
  return arguments;
}

std::string help_text() {
  std::vector<std::vector<std::string>> rows;
  for (const Option& option : options) {
    rows.push_back({std::string(option.name) + (option.argument.empty() ? "" : " ") + std::string(option.argument),
                    std::string(option.meaning)});
  }
  return "etalon-torch, the native training worker of etalon.\n\n"
         "It is started by `etalon run`, which sends it a recipe over the socket named by ETALON_SOCKET.\n\n" +
         base::columns(rows);
}

}  // namespace etalon::worker
