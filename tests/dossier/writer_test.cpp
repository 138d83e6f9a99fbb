// SPDX-License-Identifier: Apache-2.0
// What the writer leaves on disk, and that it never touches what was there before.
#include "dossier/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/hash.h"
#include "dossier/dossier.h"
#include "example.h"

namespace etalon::dossier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> entries(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

base::ExitCode code_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const base::Error& error) {
    return error.code();
  }
  return base::ExitCode::ok;
}

TEST(Writer, LeavesAllFilesOfARun) {
  const example::Place place;
  example::write(place / "run");
  EXPECT_THAT(entries(place / "run"), ElementsAre("dossier.json", "environment.json", "launches", "manifest.sha256",
                                                  "preflight.json", "recipe.resolved.json", "recipe.toml"));
  EXPECT_THAT(entries(place / "run/launches/1"),
              ElementsAre("events.jsonl", "steps.csv", "telemetry.csv", "worker.log"));
  EXPECT_THAT(entries(place.path()), ElementsAre("run"));
  EXPECT_EQ(base::read_file(place / "run/recipe.toml"), example::recipe_text);
  EXPECT_EQ(base::read_file(place / "run/launches/1/worker.log"), "ready\n");
}

TEST(Writer, WritesStepsAndTelemetryUnderTheirColumns) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  measure::Recorder& recorder = writer.begin_launch(example::channels());
  wire::Step step = example::step(0, 5, 17, 1024);
  recorder.step(0, step);
  step.index = 1;
  step.gpu_ns = 9;
  step.loss = 0.1;
  step.data_wait_ns = 2;
  recorder.step(3, step);
  recorder.telemetry(21, {12.5, std::nullopt});
  recorder.telemetry(22, {std::nullopt, 4096.0});
  recorder.flush(true);
  EXPECT_EQ(
      base::read_file(place / "run/launches/1/steps.csv"),
      "rank,index,start_ns,end_ns,gpu_ns,units,loss_nats,data_wait_ns\n0,0,5,17,,1024,,\n3,1,5,17,9,1024,0.1,2\n");
  EXPECT_EQ(base::read_file(place / "run/launches/1/telemetry.csv"),
            "time_ns,cpu_use_percent,memory_used_bytes\n21,12.5,\n22,,4096\n");
}

TEST(Writer, AddsWhenAndFromWhomToEachEvent) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  measure::Recorder& recorder = writer.begin_launch({});
  recorder.event("controller", 2, {{"type", "note"}, {"from", "nobody"}, {"text", "a\nb"}});
  recorder.flush(false);
  const std::string line = base::read_file(place / "run/launches/1/events.jsonl");
  const base::Json event = base::parse_json(line, "line");
  EXPECT_GT(event.at("received_ns").get<std::int64_t>(), 0);
  EXPECT_EQ(event.at("from"), "controller");
  EXPECT_EQ(event.at("rank"), 2);
  EXPECT_EQ(event.at("text"), "a\nb");
  EXPECT_EQ(std::ranges::count(line, '\n'), 1);
}

TEST(Writer, RefusesATelemetryRowOfAnotherWidth) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  EXPECT_THROW(writer.begin_launch(example::channels()).telemetry(1, {1.0}), std::logic_error);
}

TEST(Writer, NeverOverwritesWhatExists) {
  const example::Place place;
  example::write(place / "run");
  const std::string before = base::sha256_file(place / "run/manifest.sha256");
  EXPECT_EQ(code_of([&] { example::begin(place / "run"); }), base::ExitCode::usage);
  EXPECT_EQ(code_of([&] { example::begin((place / "run").string() + "/"); }), base::ExitCode::usage);
  EXPECT_EQ(base::sha256_file(place / "run/manifest.sha256"), before);
  std::filesystem::create_directory(place / "empty");
  EXPECT_EQ(code_of([&] { example::begin(place / "empty"); }), base::ExitCode::usage);
  example::overwrite(place / "file", "mine");
  EXPECT_EQ(code_of([&] { example::begin(place / "file"); }), base::ExitCode::usage);
  std::filesystem::create_symlink("nowhere", place / "link");
  EXPECT_EQ(code_of([&] { example::begin(place / "link"); }), base::ExitCode::usage);
  EXPECT_THAT(entries(place.path()), ElementsAre("empty", "file", "link", "run"));
}

TEST(Writer, RefusesAPlaceThatCannotBeMade) {
  const example::Place place;
  example::overwrite(place / "file", "no folder");
  EXPECT_EQ(code_of([&] { example::begin(place / "file/run"); }), base::ExitCode::refused);
}

TEST(Writer, RefusesAPlaceWhereNobodyMayMakeFolders) {
  EXPECT_EQ(code_of([] { example::begin("/proc/etalon-run"); }), base::ExitCode::refused);  // root may not either
}

TEST(Writer, MakesParentsOfTheFolder) {
  const example::Place place;
  example::begin(place / "a/b/run");
  EXPECT_TRUE(std::filesystem::exists(place / "a/b/run/dossier.json"));
}

TEST(Writer, SaysFromTheFirstMomentThatTheRunGoesOn) {
  const example::Place place;
  const Writer writer = example::begin(place / "run");
  const base::Json document = base::parse_json(base::read_file(place / "run/dossier.json"), "dossier.json");
  EXPECT_EQ(document.at("schema"), 1);
  EXPECT_EQ(document.at("status"), "running");
  EXPECT_EQ(document.at("title"), "An example");
  EXPECT_TRUE(document.at("verdict").is_null());
  EXPECT_EQ(document.at("id").get<std::string>().size(), 32u);
}

TEST(Writer, DescribesColumnsAndMissingChannelsAsSoonAsALaunchBegins) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  writer.begin_launch(example::channels());
  const base::Json document = base::parse_json(base::read_file(place / "run/dossier.json"), "dossier.json");
  const base::Json& launch = document.at("launches").at(0);
  EXPECT_EQ(launch.at("columns").at("steps.csv").at(6).at("name"), "loss_nats");
  EXPECT_EQ(launch.at("columns").at("telemetry.csv").size(), 3u);
  EXPECT_EQ(launch.at("columns").at("telemetry.csv").at(1).at("meaning"), "use of all CPUs");
  EXPECT_EQ(launch.at("missing_channels").at(0).at("state"), "not permitted");
  EXPECT_THAT(launch.at("missing_channels").at(0).at("reason").get<std::string>(), HasSubstr("EACCES"));
}

TEST(Writer, SealsWithLinesThatSha256sumReads) {
  const example::Place place;
  example::write(place / "run");
  const std::string manifest = base::read_file(place / "run/manifest.sha256");
  EXPECT_THAT(manifest, StartsWith(base::sha256_file(place / "run/dossier.json") + "  dossier.json\n"));
  EXPECT_EQ(std::ranges::count(manifest, '\n'), 9);
  EXPECT_EQ(
      std::system(
          ("cd '" + (place / "run").string() + "' && sha256sum --check --strict --quiet manifest.sha256").c_str()),
      0);
}

TEST(Writer, WritesNothingAfterTheSeal) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  writer.seal(measure::Verdict::refused, "preflight refused the run");
  EXPECT_THROW(writer.begin_launch({}), std::logic_error);
  EXPECT_THROW(writer.set_preflight({}), std::logic_error);
  EXPECT_THROW(writer.seal(measure::Verdict::steady, ""), std::logic_error);
}

TEST(Writer, RedactsSecretsOfTheCommandLine) {
  const example::Place place;
  const Writer writer(place / "run", example::requested(), example::resolved(), example::machine(),
                      {"etalon", "run", "--set", "upload.token=abc123", "--api-key", "xyz"});
  const std::string environment = base::read_file(place / "run/environment.json");
  EXPECT_THAT(environment, ::testing::Not(HasSubstr("abc123")));
  EXPECT_THAT(environment, ::testing::Not(HasSubstr("xyz")));
  EXPECT_THAT(environment, HasSubstr("upload.token=[redacted]"));
}

TEST(Writer, ReadsBackWhatItWrote) {
  const example::Place place;
  example::write(place / "run");
  const Dossier dossier = load(place / "run");
  EXPECT_TRUE(dossier.sealed);
  EXPECT_EQ(dossier.verdict, measure::Verdict::steady);
  EXPECT_EQ(dossier.recipe.recipe.training.micro_batch, 10);
  ASSERT_EQ(dossier.launches.size(), 1u);
  const measure::LaunchOutcome& outcome = dossier.launches[0].outcome;
  EXPECT_EQ(outcome.window->last_step, 199);
  EXPECT_EQ(outcome.gates.at(2).threshold, 0.01);
  EXPECT_EQ(outcome.channels.size(), 3u);
  EXPECT_EQ(read_evals(place / "run/launches/1").at(0).loss, 1.25);
}

TEST(Writer, ReadsAnUnsealedDossierAsInterrupted) {
  const example::Place place;
  {
    Writer writer = example::begin(place / "run");
    example::record_example(writer.begin_launch(example::channels()));
  }
  const Dossier dossier = load(place / "run");
  EXPECT_FALSE(dossier.sealed);
  EXPECT_EQ(dossier.verdict, measure::Verdict::interrupted);
  EXPECT_FALSE(dossier.launches.at(0).ended);
}

TEST(Writer, KeepsAGateWithoutANumber) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  writer.begin_launch({});
  measure::LaunchOutcome outcome;
  outcome.verdict = measure::Verdict::failed;
  outcome.gates = {{"precision", false, std::numeric_limits<double>::infinity(), 0.01, "relative", "not known yet"}};
  writer.end_launch(outcome);
  writer.seal(measure::Verdict::failed, "the worker crashed");
  EXPECT_THAT(base::read_file(place / "run/dossier.json"), HasSubstr("\"value\": null"));
  EXPECT_EQ(load(place / "run").launches.at(0).outcome.gates.at(0).value, std::numeric_limits<double>::infinity());
}

TEST(FreshFolder, CountsOnWhenTheNameIsTaken) {
  const example::Place place;
  const std::filesystem::path first = fresh_folder(place.path(), "nano");
  EXPECT_THAT(first.filename().string(), ::testing::MatchesRegex("....-..-..T......-nano(-.)?"));
  std::filesystem::create_directory(first);
  EXPECT_NE(fresh_folder(place.path(), "nano"), first);
}

}  // namespace
}  // namespace etalon::dossier
