// SPDX-License-Identifier: Apache-2.0
// What a report says of a target loss and of waiting for data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dossier/example.h"
#include "report/report.h"

namespace etalon::report {
namespace {

using example::second;
using ::testing::HasSubstr;
using ::testing::Not;

/// Two steps of 10 s before an evaluation of 2 s that finds 3.0; in the second step a second was spent waiting for data.
std::string report_with(const std::vector<std::string>& assignments) {
  const example::Place place;
  dossier::Writer writer = example::begin(place / "run", assignments);
  measure::Recorder& recorder = writer.begin_launch({});
  recorder.event("worker", 0, example::hello(0, 1));
  recorder.event("worker", 0, example::config(1000));
  for (std::int64_t i = 0; i < 2; ++i) {
    wire::Step step = example::step(i, i * 10 * second, (i + 1) * 10 * second, 1000);
    step.data_wait_ns = i * second;
    recorder.step(0, step);
  }
  recorder.event("worker", 0, example::eval(2, 20 * second, 22 * second, 3.0));
  recorder.event("worker", 0, example::done(2, 2000));
  writer.end_launch(example::steady(0, 1, 2));
  writer.seal(measure::Verdict::steady, "");
  return render(build_document(dossier::load(place / "run")), "md");
}

TEST(ReportOfATarget, SaysThatItWasReachedAndAfterWhat) {
  const std::string report = report_with({"target.loss=3.2", "measure.until=\"training\"", "evaluation.sequences=8"});
  EXPECT_THAT(report, HasSubstr("a held-out loss of 3.2 nats or less"));
  EXPECT_THAT(report, HasSubstr("| 1 | reached | 3.00000 after 2 steps | 20.000 s | 2.0000 s | 2,000 |"));
  EXPECT_THAT(report, HasSubstr("training time to 3.2 nats/token | 20.000 s"));
}

TEST(ReportOfATarget, SaysPlainlyThatItWasNeverReached) {
  const std::string report = report_with({"target.loss=2.9", "measure.until=\"training\"", "evaluation.sequences=8"});
  EXPECT_THAT(report, HasSubstr("| 1 | never reached | 3.00000 after 2 steps |"));
}

TEST(ReportOfATarget, IsSilentWhereTheRecipeHasNone) { EXPECT_THAT(report_with({}), Not(HasSubstr("## Target"))); }

TEST(ReportOfData, TellsHowLongTrainingWaited) {
  EXPECT_THAT(report_with({}), HasSubstr("| 1 | 5.00 % | 500 ms | 1,000 ms (step 1) |"));
}

}  // namespace
}  // namespace etalon::report
