// SPDX-License-Identifier: Apache-2.0
// Reports of small dossiers: every section says what is there and what is missing.
#include "report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dossier/example.h"
#include "dossier/verify.h"

namespace etalon::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string report_of(const std::filesystem::path& folder) {
  return render_markdown(build_document(dossier::load(folder)));
}

TEST(Report, TellsTheResultWithIntervalAndVerdict) {
  const example::Place place;
  example::write(place / "run");
  const std::string report = report_of(place / "run");
  EXPECT_THAT(report, HasSubstr("# An example\n\n## Result\n\nVerdict: steady. Every gate"));
  EXPECT_THAT(report, HasSubstr("| tokens per second, all devices | 500.00 tokens/s | 500.00 to 500.00 (±0 %) |"));
  EXPECT_THAT(report, HasSubstr("| median time of a step | 2,000.0 ms | none |"));
  EXPECT_THAT(report, HasSubstr("thermal equilibrium is not"));
}

TEST(Report, TellsHowEachLaunchWentAndWhatItsGatesFound) {
  const example::Place place;
  example::write(place / "run");
  const std::string report = report_of(place / "run");
  EXPECT_THAT(report, HasSubstr("| 1 | steady | 200 | steps 100 to 199 | exited with status 0 | all gates opened |"));
  EXPECT_THAT(report, HasSubstr("| 1 | warm-up | open | 61.0 s | 60.0 s |"));
}

TEST(Report, TellsWhatWasTrainedAndWithWhichSettings) {
  const example::Place place;
  example::write(place / "run");
  const std::string report = report_of(place / "run");
  EXPECT_THAT(report, HasSubstr("| tokens per step and rank | 1,000 |"));
  EXPECT_THAT(report, HasSubstr("| versions.pytorch | 2.11.0 |"));
  EXPECT_THAT(report, HasSubstr("| attention | math |"));
  EXPECT_THAT(report, HasSubstr("| training.micro_batch | 10 | sequences | recipe: example.toml:8 |"));
  EXPECT_THAT(report, HasSubstr("| measure.half_width | 0.01 | of the value | profile: quick |"));
}

TEST(Report, SummarisesTelemetryInsideTheWindow) {
  const example::Place place;
  example::write(place / "run");
  const std::string report = report_of(place / "run");
  // 100 steps of 2 s and an evaluation of 3 s lie in the window; samples alternate between 50 and 51 %.
  EXPECT_THAT(report, HasSubstr("| Launch 1: window of 203.0 s | Lowest | Mean | Highest | Unit | Meaning |"));
  EXPECT_THAT(report, HasSubstr("| cpu_use_percent | 50.00 | 50.50 | 51.00 | % | use of all CPUs |"));
  EXPECT_THAT(report, HasSubstr("| memory_used_bytes | no reading |"));
  EXPECT_THAT(report,
              HasSubstr("| package_power_watts | not permitted | energy_uj is readable by root alone (EACCES) |"));
}

TEST(Report, TellsTheMachineAndWhatIsNotKnownOfIt) {
  const example::Place place;
  example::write(place / "run");
  const std::string report = report_of(place / "run");
  EXPECT_THAT(report, HasSubstr("| memory.total | 64 GB | main memory | /proc/meminfo |"));
  EXPECT_THAT(report, HasSubstr("| gpu.name | not supported | libnvidia-ml.so.1 is not there | graphics card |"));
}

TEST(Report, GivesTheChecksAndTheCommands) {
  const example::Place place;
  example::write(place / "run");
  const std::string report = report_of(place / "run");
  EXPECT_THAT(report, HasSubstr("| OUT-01 | Output | pass | 64 GB free |"));
  EXPECT_THAT(report, HasSubstr("etalon verify .\nsha256sum --check manifest.sha256\netalon run ./recipe.toml\n```"));
  EXPECT_THAT(report, HasSubstr("| launches/1/worker.log | 6 B | yes |"));
}

TEST(Report, RepeatsWhatTheCommandLineSet) {
  const example::Place place;
  example::begin(place / "run", {"training.micro_batch=4", "title=it's"}).seal(measure::Verdict::refused, "no space");
  const std::string report = report_of(place / "run");
  EXPECT_THAT(report, HasSubstr("--set 'training.micro_batch=4'"));
  EXPECT_THAT(report, HasSubstr("--set 'title=\"it'\\''s\"'"));
}

TEST(Report, SaysThatARefusedRunMeasuredNothing) {
  const example::Place place;
  example::begin(place / "run").seal(measure::Verdict::refused, "no space");
  const std::string report = report_of(place / "run");
  EXPECT_THAT(report, HasSubstr("Verdict: refused. Preflight refused the run; nothing was measured."));
  EXPECT_THAT(report, HasSubstr("There are no values"));
  EXPECT_THAT(report, HasSubstr("The worker was never started."));
  EXPECT_THAT(report, HasSubstr("## Checks before the start\n\nNone are recorded."));
}

TEST(Report, CanBeMadeOfARunThatWasCutOff) {
  const example::Place place;
  {
    dossier::Writer writer = example::begin(place / "run");
    example::record_example(writer.begin_launch(example::channels()));
  }
  const std::string report = report_of(place / "run");
  EXPECT_THAT(report, HasSubstr("Verdict: interrupted."));
  EXPECT_THAT(report, HasSubstr("| Launch 1: whole launch, no window was reached |"));
}

TEST(Report, SurvivesSeriesThatCannotBeRead) {
  const example::Place place;
  example::write(place / "run");
  example::overwrite(place / "run/launches/1/events.jsonl", "garbage\n");
  const std::string report = report_of(place / "run");
  EXPECT_THAT(report, HasSubstr("What the worker declared cannot be read"));
  EXPECT_THAT(report, HasSubstr("Launch 1: its series cannot be read"));
}

TEST(Report, IsDerivedAndLeavesTheDossierWhole) {
  const example::Place place;
  example::write(place / "run");
  const std::filesystem::path path = write_markdown(dossier::load(place / "run"));
  EXPECT_EQ(path, place / "run/report.md");
  const std::string first = base::read_file(path);
  EXPECT_EQ(dossier::verify(place / "run").state, dossier::Verification::State::whole);
  write_markdown(dossier::load(place / "run"));
  EXPECT_EQ(base::read_file(path), first);
  EXPECT_THAT(first, Not(HasSubstr("report.md")));
}

TEST(Report, ListsItsSections) {
  EXPECT_GE(list_sections().size(), 9u);
  EXPECT_EQ(list_sections().front().first, "headline");
}

}  // namespace
}  // namespace etalon::report
