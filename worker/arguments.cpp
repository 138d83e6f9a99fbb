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

data::ShardOrder& shard_order(Arguments& arguments) {
  return arguments.shards ? *arguments.shards : arguments.shards.emplace();
}

constexpr std::array<Option, 10> options{{
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
    {"--make-shards", "FOLDER",
     "make token shards of the texts in a new folder, and train a tokenizer on them unless one is given",
     [](Arguments& arguments, const std::string& value) { shard_order(arguments).folder = value; }},
    {"--text", "FILE", "with --make-shards, once or more: a text; each is one document",
     [](Arguments& arguments, const std::string& value) { shard_order(arguments).texts.emplace_back(value); }},
    {"--tokenizer", "NAME", "with --make-shards: bytes, gpt2:FILE or sentencepiece:FILE, as data.tokenizer",
     [](Arguments& arguments, const std::string& value) { shard_order(arguments).tokenizer = value; }},
    {"--vocabulary", "N", "with --make-shards: size of the sentencepiece tokenizer that is trained; default 32000",
     [](Arguments& arguments, const std::string& value) {
       const auto size = base::parse_integer(value);
       if (!size || *size < 300 || *size > 1'000'000) {
         refuse("--vocabulary needs a number from 300 to 1000000, not \"" + value + "\"");
       }
       shard_order(arguments).vocabulary = *size;
     }},
    {"--bench-kernels", "",
     "with --order: time every kind of operation of the recipe's fused step by itself, beside this machine's ceilings",
     [](Arguments& arguments, const std::string&) { arguments.bench_kernels = true; }},
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
  if (!arguments.order && (arguments.steps || arguments.bench_kernels)) {
    refuse("--steps and --bench-kernels go with --order");
  }
  if (arguments.shards && arguments.shards->folder.empty()) {
    refuse("--text, --tokenizer and --vocabulary go with --make-shards");
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
