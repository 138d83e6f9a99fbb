// SPDX-License-Identifier: Apache-2.0
// The whole program against a scripted worker: what a user gets, and what is left after every way it can end.
#include <sys/resource.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "end_to_end/program.h"

namespace {

using etalon::base::Json;
using testing::HasSubstr;
using testing::Not;

Json last_line_of(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  const std::size_t start = text.rfind('\n', end);
  return etalon::base::parse_json(text.substr(start + 1, end - start), "output");
}

TEST(Run, LeavesADossierThatVerifyRecomputes) {
  const Place place(steady);
  const Place::Ended run = place.run(smoke_run({"--json"}));
  ASSERT_EQ(run.status, 0) << run.errors;
  const Json result = last_line_of(run.output);
  EXPECT_EQ(result.at("verdict"), "ungated");
  EXPECT_EQ(result.at("headline").at(0).at("name"), "tokens_per_second");
  EXPECT_NEAR(result.at("headline").at(0).at("value").get<double>(), 512'000, 25'000);
  const Place::Ended verified = place.run({"verify", "dossier"});
  EXPECT_EQ(verified.status, 0) << verified.output;
  EXPECT_THAT(verified.output, HasSubstr("dossier: whole"));
  EXPECT_THAT(Place::text_of(place / "dossier/report.md"), HasSubstr("tokens/s"));
  EXPECT_TRUE(place.nothing_is_left());
}

TEST(Run, NeverTouchesAnExistingFolder) {
  const Place place(steady);
  std::filesystem::create_directory(place / "dossier");
  const Place::Ended run = place.run(smoke_run());
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.errors, HasSubstr("dossier"));
  EXPECT_TRUE(std::filesystem::is_empty(place / "dossier"));
}

TEST(Run, RefusesAPlaceThatCannotBeWrittenBeforeAnythingStarts) {
  const Place place("rate=500 children=1");
  const Place::Ended run =
      place.run({"run", "nano", "--output", "/proc/etalon/dossier", "--set", "measure.profile=smoke"});
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.errors, HasSubstr("/proc/etalon"));
  EXPECT_FALSE(std::filesystem::exists(place / "child0"));
}

TEST(Run, NamesAWrongKeyAndWritesNothing) {
  const Place place(steady);
  const Place::Ended run = place.run(smoke_run({"--set", "training.micro_bacth=4"}));
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.errors, HasSubstr("training.micro_batch"));
  EXPECT_FALSE(std::filesystem::exists(place / "dossier"));
}

TEST(Run, DryRunStartsAndWritesNothing) {
  const Place place("rate=500 children=1");
  const Place::Ended run = place.run(smoke_run({"--dry-run"}));
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_FALSE(std::filesystem::exists(place / "dossier"));
  EXPECT_FALSE(std::filesystem::exists(place / "child0"));
}

TEST(Run, KeepsTheDossierOfAFailedWorker) {
  const Place place("rate=500 fault=exit at=100");
  const Place::Ended run = place.run(smoke_run());
  EXPECT_EQ(run.status, 4);
  EXPECT_THAT(run.output, HasSubstr("failed"));
  EXPECT_THAT(Place::text_of(place / "dossier/launches/1/worker.log"), HasSubstr("nothing works"));
  EXPECT_EQ(place.run({"verify", "dossier"}).status, 0);
}

TEST(Run, KeepsNoUserNameUnlessAsked) {
  const Place place("");
  std::ofstream(place / "start") << "#!/bin/sh\necho opened /home/somebody/data\nexit 3\n";
  place.run(smoke_run());
  EXPECT_THAT(Place::text_of(place / "dossier/launches/1/worker.log"), Not(HasSubstr("somebody")));
  place.run({"run", "nano", "--output", "named", "--identify", "--set", "measure.profile=smoke"});
  EXPECT_THAT(Place::text_of(place / "named/launches/1/worker.log"), HasSubstr("/home/somebody/data"));
}

TEST(Run, OneInterruptSealsWhatExists) {
  const Place place("rate=500 children=2");
  const pid_t program = place.start({"run", "nano", "--output", "dossier", "--set", "measure.profile=quick"});
  ASSERT_TRUE(place.trains("dossier"));
  ::kill(program, SIGINT);
  const Place::Ended run = place.wait(program);
  EXPECT_EQ(run.status, 130);
  EXPECT_THAT(run.output, HasSubstr("interrupted"));
  EXPECT_TRUE(place.nothing_is_left());
  const Place::Ended verified = place.run({"verify", "dossier"});
  EXPECT_EQ(verified.status, 0) << verified.output;
  EXPECT_THAT(verified.output, HasSubstr("interrupted"));
}

TEST(Run, TwoInterruptsLeaveAtOnceAndWithoutOrphans) {
  const Place place("rate=500 children=2 fault=ignore_stop");
  const pid_t program = place.start({"run", "nano", "--output", "dossier", "--set", "measure.profile=quick"});
  ASSERT_TRUE(place.trains("dossier"));
  const auto start = std::chrono::steady_clock::now();
  ::kill(program, SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ::kill(program, SIGINT);
  EXPECT_EQ(place.wait(program).status, 130);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  EXPECT_TRUE(place.nothing_is_left());
  EXPECT_EQ(place.run({"verify", "dossier"}).status, 130);
}

TEST(Run, KilledControllerLeavesNoOrphanAndNoWholeDossier) {
  const Place place("rate=500 children=2");
  const pid_t program = place.start({"run", "nano", "--output", "dossier", "--set", "measure.profile=quick"});
  ASSERT_TRUE(place.trains("dossier"));
  ::kill(program, SIGKILL);
  place.wait(program);
  EXPECT_TRUE(place.nothing_is_left());
  const Place::Ended verified = place.run({"verify", "dossier"});
  EXPECT_EQ(verified.status, 130);
  EXPECT_THAT(verified.output, HasSubstr("interrupted"));
}

TEST(Run, SurvivesATerminalThatIsClosed) {
  const Place place(steady);
  const Place::Ended run = place.run(smoke_run(), [] {
    ::close(STDOUT_FILENO);
    ::close(STDERR_FILENO);
  });
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(place.run({"verify", "dossier"}).status, 0);
}

/// A limit on file sizes stands for a full disk: both make write() fail in the middle of the run.
TEST(Run, FullDiskEndsTheRunInWordsAndIsNeverWhole) {
  const Place place("rate=5000 children=1");
  const Place::Ended run = place.run({"run", "nano", "--output", "dossier", "--set", "measure.profile=quick"}, [] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200'000, 200'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  });
  EXPECT_EQ(run.status, 1) << run.errors;
  EXPECT_THAT(run.errors, HasSubstr("steps.csv"));
  EXPECT_TRUE(place.nothing_is_left());
  const Place::Ended verified = place.run({"verify", "dossier"});
  EXPECT_EQ(verified.status, 130) << verified.output;
}

TEST(Run, TamperedFigureIsFound) {
  const Place place(steady);
  ASSERT_EQ(place.run(smoke_run()).status, 0);
  std::string steps = Place::text_of(place / "dossier/launches/1/steps.csv");
  steps[steps.size() - 20] = steps[steps.size() - 20] == '1' ? '2' : '1';
  std::ofstream(place / "dossier/launches/1/steps.csv", std::ios::binary) << steps;
  const Place::Ended verified = place.run({"verify", "dossier"});
  EXPECT_EQ(verified.status, 6);
  EXPECT_THAT(verified.output, HasSubstr("launches/1/steps.csv"));
}

TEST(Show, NamesTheOriginOfEveryValue) {
  const Place place(steady);
  const Place::Ended show = place.run({"show", "nano", "--set", "training.micro_batch=4"});
  EXPECT_EQ(show.status, 0) << show.errors;
  EXPECT_THAT(show.output, testing::ContainsRegex("training.micro_batch +4 .*command line"));
  EXPECT_THAT(show.output, HasSubstr("nano.toml:"));
  EXPECT_THAT(show.output, HasSubstr("built-in"));
}

TEST(List, KnowsTheRecipes) {
  const Place place(steady);
  EXPECT_THAT(place.run({"list", "recipes", "--names"}).output, HasSubstr("nano\n"));
  for (const char* what : {"keys", "sources", "checks", "sections"})
    EXPECT_EQ(place.run({"list", what}).status, 0) << what;
}

}  // namespace
