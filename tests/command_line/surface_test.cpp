// SPDX-License-Identifier: Apache-2.0
// The command line is a promise: verbs, options and help change only together with the golden file here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/text.h"
#include "base/version.h"
#include "command_line/manual.h"
#include "command_line/verb.h"
#include "golden.h"

namespace {

using namespace etalon;
using testing::HasSubstr;

const std::filesystem::path golden_folder = std::filesystem::path(ETALON_FIXTURES) / "golden";

std::string without_version(std::string text) {
  const std::string version = "etalon " + base::build().version;
  const std::size_t place = text.find(version);
  return place == std::string::npos ? text : text.replace(place, version.size(), "etalon VERSION");
}

base::Error error_of(std::vector<const char*> words) {
  words.insert(words.begin(), "etalon");
  try {
    command_line::run_command_line(static_cast<int>(words.size()), words.data());
  } catch (const base::Error& error) {
    return error;
  }
  return base::Error(base::ExitCode::ok, "no error");
}

TEST(CommandLine, SurfaceIsFrozen) {
  const command_line::CommandLine line = command_line::make_command_line();
  std::string text = line.app->help();
  for (const command_line::Verb& verb : command_line::all_verbs())
    text += "\n\n== etalon " + verb.name + "\n" + line.app->get_subcommand(verb.name)->help("etalon");
  expect_golden(text, golden_folder / "command_line.txt");
}

TEST(CommandLine, ManualAndCompletionsCoverEveryVerbAndOption) {
  const command_line::CommandLine line = command_line::make_command_line();
  expect_golden(without_version(command_line::man_page(line)), golden_folder / "etalon.1");
  for (const auto& text :
       {command_line::bash_completion(line), command_line::zsh_completion(line), command_line::fish_completion(line)})
    for (const command_line::Verb& verb : command_line::all_verbs()) {
      if (verb.hidden) continue;
      EXPECT_THAT(text, HasSubstr(verb.name));
      for (const CLI::Option* option : line.app->get_subcommand(verb.name)->get_options())
        for (const std::string& name : option->get_lnames()) EXPECT_THAT(text, HasSubstr(name));
    }
}

TEST(CommandLine, MistypedVerbNamesItsNeighbour) {
  const base::Error error = error_of({"verfy", "x"});
  EXPECT_EQ(error.code(), base::ExitCode::usage);
  EXPECT_STREQ(error.what(), "there is no verb \"verfy\"");
  EXPECT_EQ(error.next_step(), "did you mean `etalon verify`?");
}

TEST(CommandLine, UnknownOptionAndMissingArgumentAreUsageErrors) {
  EXPECT_EQ(error_of({"run", "--nonsense"}).code(), base::ExitCode::usage);
  EXPECT_EQ(error_of({"run", "--nonsense"}).next_step(), "see `etalon run --help`");
  EXPECT_EQ(error_of({"verify"}).code(), base::ExitCode::usage);
  EXPECT_EQ(error_of({"list", "cheese"}).code(), base::ExitCode::usage);
  EXPECT_EQ(error_of({"--nonsense"}).next_step(), "see `etalon --help`");
}

TEST(CommandLine, EveryVerbHasWordsAndAnExample) {
  for (const command_line::Verb& verb : command_line::all_verbs()) {
    EXPECT_FALSE(verb.summary.empty()) << verb.name;
    EXPECT_GT(verb.description.size(), verb.summary.size()) << verb.name;
    EXPECT_FALSE(verb.examples.empty()) << verb.name;
    for (const std::string& example : verb.examples) EXPECT_TRUE(example.starts_with("etalon " + verb.name)) << example;
  }
}

}  // namespace
