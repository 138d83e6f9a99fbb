// SPDX-License-Identifier: Apache-2.0
// Reports of small dossiers: every section says what is there and what is missing.
#include "report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "dossier/example.h"
#include "dossier/verify.h"

namespace etalon::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string report_of(const std::filesystem::path& folder) {
  return render(build_document(dossier::load(folder)), "md");
}

TEST(Report, TellsTheResultWithIntervalAndVerdict) {
  const example::Place place;
  example::write(place / "run");
  const std::string report = report_of(place / "run");
  EXPECT_THAT(
      report,
      HasSubstr("# An example\n\n## Result\n\n**500.00 tokens/s** tokens per second, all devices\n\n95 % interval "
                "500.00 to 500.00 (±0 %)\n\n**Verdict: steady.** Every gate"));
  EXPECT_THAT(report, HasSubstr("**Not to be published:**\n\n- Profile quick"));
  EXPECT_THAT(report, HasSubstr("- It rests on 1 launch; 3 are asked for"));
  EXPECT_THAT(
      report,
      HasSubstr("| What | llm nano of 1,000 parameters, full training in fp32, context 100, 1,000 tokens a step"));
  EXPECT_THAT(report, HasSubstr("| On | Example 9000, 64 GB of memory |"));
  EXPECT_THAT(report, HasSubstr("| tokens per second, all devices | 500.00 tokens/s | 500.00 to 500.00 (±0 %) |"));
  EXPECT_THAT(report, HasSubstr("| median time of a step | 2,000.0 ms | none |"));
  EXPECT_THAT(report, HasSubstr("waives thermal equilibrium"));
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
  EXPECT_THAT(report, HasSubstr("**Verdict: refused.** Preflight refused the run; nothing was measured."));
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
  EXPECT_THAT(report, HasSubstr("**Verdict: interrupted.**"));
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

const DrawingTool no_tool{"/bin/false", "/nowhere/draw_charts.py", 10};

TEST(Report, IsDerivedAndLeavesTheDossierWhole) {
  const example::Place place;
  example::write(place / "run");
  const Written written = write(dossier::load(place / "run"), usual_formats, no_tool);
  EXPECT_THAT(written.files, ::testing::ElementsAre(place / "run/report.html", place / "run/report.md"));
  const std::string first = base::read_file(place / "run/report.md");
  EXPECT_EQ(dossier::verify(place / "run").state, dossier::Verification::State::whole);
  write(dossier::load(place / "run"), usual_formats, no_tool);
  EXPECT_EQ(base::read_file(place / "run/report.md"), first);
  EXPECT_THAT(first, Not(HasSubstr("report.md")));
}

TEST(Report, KeepsItsTablesAndSaysSoWhenChartsCannotBeDrawn) {
  const example::Place place;
  example::write(place / "run");
  const Written written = write(dossier::load(place / "run"), usual_formats, no_tool);
  EXPECT_THAT(written.problem, HasSubstr("/bin/false exited with status 1"));
  for (const char* file : {"run/report.html", "run/report.md"}) {
    const std::string report = base::read_file(place / file);
    EXPECT_THAT(report, HasSubstr("The charts could not be drawn: /bin/false exited with status 1"));
    EXPECT_THAT(report, HasSubstr("cpu_use_percent"));
    EXPECT_THAT(report, HasSubstr("means of 5 steps between 500.0 and 500.0 tokens per second"));
  }
  EXPECT_FALSE(std::filesystem::exists(place / "run/report-charts"));
}

TEST(Report, WritesTheFormsAskedForAndNoOther) {
  const example::Place place;
  example::write(place / "run");
  write(dossier::load(place / "run"), {"json"}, no_tool);
  EXPECT_FALSE(std::filesystem::exists(place / "run/report.md"));
  const base::Json report = base::parse_json(base::read_file(place / "run/report.json"), "report.json");
  EXPECT_EQ(report.at("title"), "An example");
  EXPECT_EQ(report.at("sections").at(0).at("blocks").at(0).at("word"), "steady");
  EXPECT_THROW(write(dossier::load(place / "run"), {"pdf"}, no_tool), base::Error);
}

TEST(Report, DoesNotFollowALinkOutOfTheDossier) {
  const example::Place place;
  example::write(place / "run");
  std::filesystem::create_directory(place / "elsewhere");
  example::overwrite(place / "elsewhere/loss-1.svg", "not ours");
  std::filesystem::create_directory_symlink(place / "elsewhere", place / "run/report-charts");
  EXPECT_THROW(write(dossier::load(place / "run"), {"md"}, no_tool), base::Error);
  EXPECT_EQ(base::read_file(place / "elsewhere/loss-1.svg"), "not ours");
}

TEST(Report, ListsItsParts) {
  EXPECT_GE(list_sections().size(), 12u);
  EXPECT_EQ(list_sections().front().first, "headline");
  EXPECT_EQ(list_charts().front().first, "throughput");
  EXPECT_EQ(list_formats().front().first, "html");
}

}  // namespace
}  // namespace etalon::report
