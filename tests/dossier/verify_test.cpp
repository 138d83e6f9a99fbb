// SPDX-License-Identifier: Apache-2.0
// Whole, interrupted, deviating: every kind of file tampered with, every tampering named by its place.
#include "dossier/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "base/error.h"
#include "base/number.h"
#include "dossier/dossier.h"
#include "dossier/manifest.h"
#include "example.h"

namespace etalon::dossier {

inline void PrintTo(const Finding& found, std::ostream* stream) { *stream << found.place << " | " << found.problem; }

namespace {

using State = Verification::State;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::StartsWith;

auto finding(const std::string& place, const std::string& problem) {
  return Contains(AllOf(Field(&Finding::place, StartsWith(place)), Field(&Finding::problem, HasSubstr(problem))));
}

std::string in_words(const Verification& verification) {
  std::string words;
  for (const Finding& found : verification.findings) words += found.place + " | " + found.problem + "\n";
  return words;
}

class Verify : public ::testing::Test {
 protected:
  Verify() { example::write(folder_); }
  /// The seal renewed over the change: what a forger would do.
  Verification forged() {
    std::filesystem::remove(folder_ / "manifest.sha256");
    write_manifest(folder_);
    return verify(folder_);
  }
  example::Place place_;
  std::filesystem::path folder_ = place_ / "run";
};

TEST_F(Verify, CallsAnUntouchedDossierWhole) {
  const Verification verification = verify(folder_);
  EXPECT_EQ(verification.state, State::whole) << in_words(verification);
  EXPECT_THAT(verification.checked, Contains(HasSubstr("9 files")));
  EXPECT_THAT(verification.checked, Contains(HasSubstr("6 of 6 headline values")));
  EXPECT_THAT(verification.checked, Contains(HasSubstr("launches/1: 200 steps of 1 rank")));
  EXPECT_TRUE(verification.remarks.empty());
}

TEST_F(Verify, StaysWholeWhenCopiedAndWithDerivedFiles) {
  std::filesystem::copy(folder_, place_ / "copy", std::filesystem::copy_options::recursive);
  std::filesystem::create_directory(place_ / "copy/report-charts");
  for (const char* derived : {"report.md", "report.html", "report.json", "report-charts/throughput-1.svg",
                              "report-charts/step-time-12.png", "checklist.md", "manifest.sha256.minisig"})
    example::overwrite(place_ / "copy" / derived, "x");
  EXPECT_EQ(verify(place_ / "copy").state, State::whole);
}

TEST_F(Verify, ToleratesNoOtherFilesInTheNameOfAReport) {
  std::filesystem::create_directories(folder_ / "report-charts/deeper");
  for (const char* added : {"report.sh", "report.md.bak", "report-charts/run.sh", "report-charts/.svg",
                            "report-charts/deeper/a.svg", "report-charts/A.svg", "other/throughput-1.svg"}) {
    std::filesystem::create_directories((folder_ / added).parent_path());
    example::overwrite(folder_ / added, "x");
    EXPECT_THAT(verify(folder_).findings, finding(added, "not listed")) << added;
    std::filesystem::remove(folder_ / added);
  }
}

TEST_F(Verify, FindsOneFlippedBitInAnyFile) {
  for (const auto& [path, size] : take_inventory(folder_).files) {
    const std::string text = base::read_file(folder_ / path);
    std::string changed = text;
    changed[changed.size() / 2] = static_cast<char>(changed[changed.size() / 2] ^ 1);
    example::overwrite(folder_ / path, changed);
    EXPECT_EQ(verify(folder_).state, State::deviating) << path;
    example::overwrite(folder_ / path, text);
  }
  EXPECT_EQ(verify(folder_).state, State::whole);
}

TEST_F(Verify, FindsEveryRemovedFile) {
  for (const auto& [path, size] : take_inventory(folder_).files) {
    if (path == "manifest.sha256") continue;
    std::filesystem::rename(folder_ / path, place_ / "aside");
    const Verification verification = verify(folder_);
    EXPECT_EQ(verification.state, State::deviating) << path;
    EXPECT_THAT(verification.findings, finding(path, "is not there")) << in_words(verification);
    std::filesystem::rename(place_ / "aside", folder_ / path);
  }
}

TEST_F(Verify, FindsRemovedFilesAlsoUnderARenewedSeal) {
  for (const char* path :
       {"dossier.json", "environment.json", "recipe.resolved.json", "recipe.toml", "launches/1/steps.csv",
        "launches/1/telemetry.csv", "launches/1/events.jsonl", "launches/1/worker.log"}) {
    std::filesystem::rename(folder_ / path, place_ / "aside");
    const Verification verification = forged();
    EXPECT_EQ(verification.state, State::deviating) << path;
    EXPECT_THAT(verification.findings, finding(path, "missing")) << in_words(verification);
    std::filesystem::rename(place_ / "aside", folder_ / path);
  }
}

TEST_F(Verify, FindsAnAddedFile) {
  example::overwrite(folder_ / "launches/1/extra.csv", "");
  EXPECT_THAT(verify(folder_).findings, finding("launches/1/extra.csv", "not listed"));
}

TEST_F(Verify, FindsAnAddedLaunchUnderARenewedSeal) {
  std::filesystem::create_directory(folder_ / "launches/2");
  example::overwrite(folder_ / "launches/2/steps.csv", "");
  EXPECT_THAT(forged().findings, finding("launches/2/steps.csv", "belongs to no launch"));
}

TEST_F(Verify, CallsADossierWithoutItsManifestInterrupted) {
  std::filesystem::remove(folder_ / "manifest.sha256");
  const Verification verification = verify(folder_);
  EXPECT_EQ(verification.state, State::interrupted);
  EXPECT_THAT(verification.remarks, Contains(HasSubstr("no manifest")));
}

TEST_F(Verify, RefusesAManifestThatLeadsElsewhere) {
  example::overwrite(place_ / "outside", "x");
  std::string manifest = base::read_file(folder_ / "manifest.sha256");
  example::overwrite(folder_ / "manifest.sha256", std::string(64, '0') + "  ../outside\n" + manifest);
  EXPECT_THAT(verify(folder_).findings, finding("manifest.sha256:1", "not one inside the dossier"));
}

TEST_F(Verify, RefusesASymbolicLinkInAFilesStead) {
  std::filesystem::rename(folder_ / "launches/1/worker.log", place_ / "worker.log");
  std::filesystem::create_symlink(place_ / "worker.log", folder_ / "launches/1/worker.log");
  EXPECT_THAT(verify(folder_).findings, finding("launches/1/worker.log", "symbolic link"));
}

TEST_F(Verify, FindsAHeadlineValueThatDiffersInItsLastBit) {
  for (const auto& [old_value, member] :
       {std::pair<double, std::string>{500.0, "value"}, {0.5, "value"}, {1.25, "value"}, {2000.0, "value"}}) {
    const std::string text = base::read_file(folder_ / "dossier.json");
    const double changed = std::bit_cast<double>(std::bit_cast<std::uint64_t>(old_value) + 1);
    example::edit(folder_ / "dossier.json", "\"" + member + "\": " + base::to_line(old_value),
                  "\"" + member + "\": " + base::to_line(changed));
    const Verification verification = forged();
    EXPECT_THAT(verification.findings, finding("dossier.json: headline.", "recomputed " + base::to_text(old_value)))
        << in_words(verification);
    example::overwrite(folder_ / "dossier.json", text);
  }
}

TEST_F(Verify, FindsAChangedWindow) {
  example::edit(folder_ / "dossier.json", "\"first_step\": 100", "\"first_step\": 149");
  EXPECT_EQ(forged().state, State::deviating);
}

TEST_F(Verify, FindsAWindowBeyondTheSteps) {
  example::edit(folder_ / "dossier.json", "\"last_step\": 199", "\"last_step\": 4000000000000000000");
  EXPECT_THAT(forged().findings, finding("dossier.json: launches[0].window", "rank 0 recorded 200 steps"));
}

TEST_F(Verify, FindsARemovedStep) {
  example::edit(folder_ / "launches/1/steps.csv", "0,120,340000000000,342000000000,,1000,,\n", "");
  EXPECT_THAT(forged().findings, finding("launches/1/steps.csv:122", "step 121 of rank 0 where step 120 is due"));
}

TEST_F(Verify, FindsAFasterStep) {
  example::edit(folder_ / "launches/1/steps.csv", "0,199,501000000000,503000000000,",
                "0,199,501000000000,502999999999,");
  EXPECT_THAT(forged().findings, finding("dossier.json: headline.tokens_per_second", "recomputed"));
}

TEST_F(Verify, FindsUnitsThatTheWorkerDidNotDeclare) {
  example::edit(folder_ / "launches/1/steps.csv", "0,199,501000000000,503000000000,,1000,",
                "0,199,501000000000,503000000000,,1001,");
  EXPECT_THAT(forged().findings, finding("launches/1/steps.csv:201", "1001 units where the worker declared 1000"));
}

TEST(VerifyFolder, AcceptsStepsOfDifferentUnitsWhereNoNumberWasDeclared) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  measure::Recorder& recorder = writer.begin_launch({});
  recorder.event("worker", 0, example::hello(0, 1));
  recorder.event("worker", 0, example::config(0));
  recorder.step(0, example::step(0, 0, example::second, 10));
  recorder.step(0, example::step(1, example::second, 3 * example::second, 30));
  recorder.event("worker", 0, example::done(2, 40));
  measure::LaunchOutcome outcome = example::steady(1, 1, 2);
  outcome.verdict = measure::Verdict::ungated;
  writer.end_launch(outcome);
  writer.seal(measure::Verdict::ungated, "");
  EXPECT_EQ(verify(place / "run").state, State::whole);
  EXPECT_EQ(load(place / "run").headline.at(0).estimate.value, 15.0);
}

TEST_F(Verify, FindsStepsThatTheWorkerDidNotCount) {
  example::edit(folder_ / "launches/1/events.jsonl", "\"steps\":200", "\"steps\":201");
  EXPECT_THAT(forged().findings, finding("launches/1/steps.csv", "201 steps done, 200 are recorded"));
}

TEST_F(Verify, FindsStepsThatTheDocumentDidNotCount) {
  example::edit(folder_ / "dossier.json", "\"steps\": 200", "\"steps\": 199");
  EXPECT_THAT(forged().findings, finding("dossier.json: launches[0].steps", "199"));
}

TEST_F(Verify, FindsTimesThatRunBackwards) {
  example::edit(folder_ / "launches/1/steps.csv", "0,10,120000000000,122000000000", "0,10,119000000000,119500000000");
  EXPECT_THAT(forged().findings, finding("launches/1/steps.csv:12", "before"));
}

TEST_F(Verify, FindsCellsThatAreNoNumbers) {
  example::edit(folder_ / "launches/1/steps.csv", "0,10,120000000000", "0,ten,120000000000");
  EXPECT_THAT(forged().findings, finding("launches/1/steps.csv:12", "not an integer"));
}

TEST_F(Verify, FindsAnotherHeader) {
  example::edit(folder_ / "launches/1/telemetry.csv", "cpu_use_percent", "gpu_use_percent");
  EXPECT_THAT(forged().findings, finding("launches/1/telemetry.csv:1", "header"));
}

TEST_F(Verify, FindsAMissingEnding) {
  const std::string events = base::read_file(folder_ / "launches/1/events.jsonl");
  example::overwrite(folder_ / "launches/1/events.jsonl", events.substr(0, events.rfind('\n', events.size() - 2) + 1));
  EXPECT_THAT(forged().findings, finding("launches/1/events.jsonl", "never said that it was done"));
}

TEST_F(Verify, FindsATornLineUnderASeal) {
  std::string steps = base::read_file(folder_ / "launches/1/telemetry.csv");
  example::overwrite(folder_ / "launches/1/telemetry.csv", steps + "600000000000,5");
  EXPECT_THAT(forged().findings, finding("launches/1/telemetry.csv", "middle of a line"));
}

TEST_F(Verify, FindsASteadyVerdictThatAGateContradicts) {
  example::edit(folder_ / "dossier.json", "\"open\": true", "\"open\": false");
  EXPECT_THAT(forged().findings, finding("dossier.json: launches[0]", "its gate \"warm-up\" is closed"));
}

TEST_F(Verify, FindsASteadyVerdictThatTheStepsContradict) {
  // The second half of the window made 1 % slower than the first; the recipe allows 0.5 %.
  std::string steps;
  std::int64_t now = 100 * example::second;
  for (std::int64_t i = 0; i < example::example_steps; ++i) {
    const std::int64_t end = now + 2 * example::second + (i >= 150 ? example::second / 50 : 0);
    steps += "0," + std::to_string(i) + "," + std::to_string(now) + "," + std::to_string(end) + ",,1000,,\n";
    now = end + (i == 149 ? 3 * example::second : 0);
  }
  const std::string names = "rank,index,start_ns,end_ns,gpu_ns,units,loss_nats,data_wait_ns\n";
  example::overwrite(folder_ / "launches/1/steps.csv", names + steps);
  EXPECT_THAT(forged().findings,
              finding("dossier.json: launches[0]", "the drift between the halves recomputed from its steps is 0.01"));
}

TEST_F(Verify, FindsASteadyVerdictOfAShortWindow) {
  example::edit(folder_ / "dossier.json", "\"first_step\": 100", "\"first_step\": 180");
  EXPECT_THAT(forged().findings,
              finding("dossier.json: launches[0]", "the window in seconds recomputed from its steps is 40"));
}

TEST_F(Verify, FindsASteadyRunOfALaunchThatWasNot) {
  const std::string text = base::read_file(folder_ / "dossier.json");
  const std::size_t of_run = text.rfind("\"verdict\": \"steady\"");
  example::overwrite(folder_ / "dossier.json", std::string(text).replace(of_run, 19, "\"verdict\": \"drifting\""));
  EXPECT_THAT(forged().findings, finding("dossier.json: verdict", "launch 1 is \"drifting\""));
}

TEST_F(Verify, FindsAResolvedValueThatTheRecipeDoesNotGive) {
  example::edit(folder_ / "recipe.resolved.json", "\"micro_batch\": 10", "\"micro_batch\": 11");
  EXPECT_THAT(forged().findings, finding("recipe.resolved.json: training.micro_batch", "recipe.toml says 10"));
}

TEST(VerifyFolder, AcceptsAProfileOfTheCommandLineAboveTheRecipe) {
  const example::Place place;
  recipe::RequestedRecipe requested =
      recipe::parse(std::string(example::recipe_text) + "warmup_seconds = 20\n", "example", "example.toml");
  const auto [key, value] = recipe::parse_assignment("measure.profile=smoke", {"command line", "--set"});
  const recipe::ResolvedRecipe resolved = recipe::resolve(requested, {{key, value}}, {}, example::machine());
  ASSERT_EQ(resolved.origins.at("measure.warmup_seconds").kind, "profile");
  Writer(place / "run", requested, resolved, example::machine(), {}).seal(measure::Verdict::refused, "");
  EXPECT_EQ(verify(place / "run").state, State::whole) << in_words(verify(place / "run"));
}

TEST(VerifyFolder, AcceptsTheMachinesChoiceWhereTheRecipeSaysAuto) {
  const example::Place place;
  std::string text = example::recipe_text;
  text.replace(text.find("\"cpu\""), 5, "\"auto\"");
  const recipe::RequestedRecipe requested = recipe::parse(text, "example", "example.toml");
  const recipe::ResolvedRecipe resolved = recipe::resolve(requested, {}, {}, example::machine());
  ASSERT_EQ(resolved.recipe.engine.device, "cpu");
  Writer(place / "run", requested, resolved, example::machine(), {}).seal(measure::Verdict::refused, "");
  EXPECT_EQ(verify(place / "run").state, State::whole) << in_words(verify(place / "run"));
}

TEST_F(Verify, FindsARecipeThatWasEditedAfterwards) {
  example::edit(folder_ / "recipe.toml", "lr = 3e-3", "lr = 1e-3");
  EXPECT_THAT(forged().findings, finding("recipe.resolved.json: training.optimizer.lr", "recipe.toml says 0.001"));
}

TEST_F(Verify, NamesWhereADocumentLeavesItsSchema) {
  example::edit(folder_ / "dossier.json", "\"first_step\": 100", "\"first_step\": \"100\"");
  const Verification verification = forged();
  EXPECT_THAT(verification.findings, Contains(Field(&Finding::place, HasSubstr("launches[0].window"))))
      << in_words(verification);
}

TEST_F(Verify, FindsLaunchesOutOfOrder) {
  example::edit(folder_ / "dossier.json", "\"index\": 1", "\"index\": 2");
  EXPECT_THAT(forged().findings, finding("dossier.json: launches[0].index", "it is not 1"));
}

TEST_F(Verify, FindsADocumentThatStillRuns) {
  example::edit(folder_ / "dossier.json", "\"verdict\": \"steady\"", "\"verdict\": null");
  EXPECT_THAT(forged().findings, finding("dossier.json: verdict", "still goes on"));
}

TEST_F(Verify, SurvivesGarbageInEveryFile) {
  for (const std::string& garbage :
       {std::string(), std::string(1, '\0'), std::string(300'000, 'x'), std::string("[[[["),
        std::string("\xff\xfe,\n\n{}\n,,,,\n"), std::string("{}"), std::string("null\n"), std::string(200'000, '[')}) {
    for (const auto& [path, size] : take_inventory(folder_).files) {
      const std::string text = base::read_file(folder_ / path);
      example::overwrite(folder_ / path, garbage);
      EXPECT_EQ(verify(folder_).state, State::deviating) << path;
      if (path != "manifest.sha256" && path != "launches/1/worker.log" && path != "preflight.json") {
        EXPECT_EQ(forged().state, State::deviating) << path << ": " << garbage.substr(0, 20);
      }
      example::overwrite(folder_ / path, text);
      std::filesystem::remove(folder_ / "manifest.sha256");
      write_manifest(folder_);
    }
  }
  EXPECT_EQ(verify(folder_).state, State::whole);
}

TEST(VerifyFolder, RefusesWhatIsNoDossier) {
  const example::Place place;
  EXPECT_THROW(verify(place.path()), base::Error);
  EXPECT_THROW(verify(place / "nowhere"), base::Error);
}

TEST(VerifyFolder, AcceptsADossierOfARefusedRun) {
  const example::Place place;
  example::begin(place / "run").seal(measure::Verdict::refused, "no space");
  const Verification verification = verify(place / "run");
  EXPECT_EQ(verification.state, State::whole) << in_words(verification);
  EXPECT_THAT(verification.remarks, Contains(HasSubstr("\"refused\": no space")));
}

TEST(VerifyFolder, CallsASealedInterruptedRunWholeAndSaysSo) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  example::record_example(writer.begin_launch(example::channels()));
  writer.seal(measure::Verdict::interrupted, "stopped by the user");
  const Verification verification = verify(place / "run");
  EXPECT_EQ(verification.state, State::whole) << in_words(verification);
  EXPECT_THAT(verification.remarks, Contains(HasSubstr("\"interrupted\"")));
}

TEST(VerifyFolder, TellsHowFarAnInterruptedRunCame) {
  const example::Place place;
  {
    Writer writer = example::begin(place / "run");
    example::record_example(writer.begin_launch(example::channels()));
  }
  std::string steps = base::read_file(place / "run/launches/1/steps.csv");
  example::overwrite(place / "run/launches/1/steps.csv", steps.substr(0, steps.size() - 9));
  const Verification verification = verify(place / "run");
  EXPECT_EQ(verification.state, State::interrupted) << in_words(verification);
  EXPECT_THAT(verification.checked, Contains(HasSubstr("launches/1: 199 steps of 1 rank over 6 min 41 s")));
  EXPECT_THAT(verification.remarks, Contains(HasSubstr("steps.csv ends in the middle of a line")));
}

TEST(VerifyFolder, FindsDeviationsOfAnInterruptedRunToo) {
  const example::Place place;
  {
    Writer writer = example::begin(place / "run");
    example::record_example(writer.begin_launch(example::channels()));
  }
  example::edit(place / "run/launches/1/steps.csv", "0,10,120000000000", "0,11,120000000000");
  EXPECT_EQ(verify(place / "run").state, State::deviating);
}

}  // namespace
}  // namespace etalon::dossier
