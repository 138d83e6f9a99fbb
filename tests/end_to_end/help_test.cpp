// SPDX-License-Identifier: Apache-2.0
// What étalon says of itself: the topics of help, and the tutorial, whose commands are run as they stand there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "end_to_end/program.h"

namespace {

using testing::HasSubstr;

const std::filesystem::path root = ETALON_SOURCE_ROOT;

/// The lines inside ``` fences that call etalon, before `end`.
std::vector<std::string> commands_of(const std::string& document, const std::string& end) {
  std::vector<std::string> commands;
  bool in_code = false;
  for (const std::string_view line :
       etalon::base::split(std::string_view(document).substr(0, document.find(end)), '\n')) {
    if (line.starts_with("```")) in_code = !in_code;
    if (in_code && line.starts_with("etalon ")) commands.emplace_back(line.substr(7));
  }
  return commands;
}

std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  for (const std::string_view word : etalon::base::split(command, ' '))
    if (!word.empty()) words.emplace_back(word);
  return words;
}

TEST(Tutorial, ItsCommandsWorkUpToWhereAGpuIsNeeded) {
  const std::string end = "<!-- from here on a GPU is needed -->";
  const std::string document = Place::text_of(root / "docs/tutorial.md");
  ASSERT_THAT(document, HasSubstr(end));
  const std::vector<std::string> commands = commands_of(document, end);
  ASSERT_GE(commands.size(), 5U);
  const Place place("rate=1000 noise=0.01 eval_every=400");
  for (const std::string& command : commands) {
    std::vector<std::string> words = words_of(command);
    const bool measures = words.front() == "run" && command.find("--dry-run") == std::string::npos;
    // The commands as they stand, only shorter.
    if (measures)
      for (const char* setting : {"measure.warmup_seconds=0.5", "measure.window_seconds=1"})
        words.insert(words.end(), {"--set", setting});
    const Place::Ended ended = place.run(words);
    EXPECT_EQ(ended.status, 0) << command << "\n" << ended.errors << ended.output;
  }
}

TEST(Help, ListsItsTopicsAndPrintsEach) {
  const Place place("");
  const Place::Ended list = place.run({"help"});
  EXPECT_EQ(list.status, 0);
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs/help")) {
    const std::string name = entry.path().stem();
    EXPECT_THAT(list.output, HasSubstr("etalon help " + name));
    const Place::Ended topic = place.run({"help", name});
    EXPECT_EQ(topic.status, 0);
    EXPECT_THAT(topic.output, HasSubstr("\n\n"));
    EXPECT_THAT(topic.output, testing::Not(HasSubstr("## ")));
    const std::string text = Place::text_of(entry.path());
    EXPECT_TRUE(topic.output.starts_with(text.substr(2, text.find('\n') - 2))) << topic.output;
    EXPECT_TRUE(text.ends_with(topic.output.substr(topic.output.size() - 60))) << topic.output;
  }
}

TEST(Help, AMistypedTopicNamesItsNeighbour) {
  const Place::Ended ended = Place("").run({"help", "verdict"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.errors, HasSubstr("etalon help verdicts"));
}

}  // namespace
