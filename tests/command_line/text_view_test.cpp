// SPDX-License-Identifier: Apache-2.0
// A run as a person sees it, from its events.
#include "command_line/text_view.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command_line/run_events.h"

namespace etalon::command_line {
namespace {

using base::Json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

measure::Progress in_the_middle() {
  measure::Progress progress;
  progress.phase = "measuring";
  progress.elapsed_seconds = 72;
  progress.steps = 1412;
  progress.total_steps = 20000;
  progress.loss = 1.8412;
  progress.units_per_second = 278471;
  progress.relative_half_width = 0.0123;
  progress.remaining_seconds = 61;
  progress.unit = "token";
  progress.gates = {{"warm-up", true, 20.4, 20, "s", "20.4 s since the first step, 20.0 s wanted"},
                    {"window", false, 30, 60, "s", "30.0 s measured, 60.0 s wanted"},
                    {"precision", false, 0.0123, 0.01, "relative", "95 % interval ±1.23 %, ±1 % allowed"}};
  progress.readings = {{"CPU", 97.6, "percent"}, {"hottest sensor", 54, "celsius"}, {"memory", 1.5e9, "bytes"}};
  return progress;
}

TEST(ProgressLines, ShowPhaseSpeedEveryGateAndTheMachine) {
  EXPECT_THAT(progress_lines(progress_event(in_the_middle()), false),
              ElementsAre("measuring   1 min 12 s  step 1412 of 20000  about 1 min 1 s left",
                          "speed       278,471 tokens/s ±1.2 %  loss 1.841",
                          "warm-up     ██████████ open   20.4 s since the first step, 20.0 s wanted",
                          "window      █████░░░░░ closed 30.0 s measured, 60.0 s wanted",
                          "precision   ████████░░ closed 95 % interval ±1.23 %, ±1 % allowed",
                          "machine     CPU 98 %, hottest sensor 54 °C, memory 1.5 GB"));
}

TEST(ProgressLines, ShowOnlyWhatIsKnown) {
  measure::Progress progress;
  progress.phase = "starting";
  progress.total_steps = 1600;
  EXPECT_THAT(progress_lines(progress_event(progress), false), ElementsAre("starting    0 ms  step 0 of 1600"));
}

TEST(ProgressLines, AClosedGateIsNeverDrawnFull) {
  measure::Progress progress = in_the_middle();
  progress.gates = {{"drift", false, 0.00501, 0.005, "relative", "nearly"}};
  EXPECT_THAT(progress_lines(progress_event(progress), false), testing::Contains(HasSubstr("█████████░ closed")));
}

struct View {
  std::ostringstream log;
  std::ostringstream result;
  std::unique_ptr<EventSink> sink;
  explicit View(bool terminal, bool quiet = false)
      : sink(make_text_view({quiet, terminal, false,
                             [] {
                               return TerminalSize{100, 30};
                             }},
                            log, result)) {}
};

TEST(TextView, IntoALogGoesALineAtEachPhaseAndThenEveryTenSeconds) {
  View view(false);
  measure::Progress progress = in_the_middle();
  for (double seconds = 72; seconds < 93; seconds += 0.5) {
    progress.elapsed_seconds = seconds;
    view.sink->take(progress_event(progress));
  }
  const std::string text = view.log.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << text;
  EXPECT_THAT(text, HasSubstr("measuring    1 min 12 s  step 1412  278,471 tokens/s ±1.2 %  loss 1.841"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

Json result_of(const std::string& reason) {
  pipeline::RunResult result;
  result.folder = "dossiers/x";
  result.verdict = measure::Verdict::steady;
  result.reason = reason;
  result.headline = {
      {"tokens_per_second", "tokens/s", "tokens per second, all GPUs", {100, 99, 101, 0.95, 20}, "", ""}};
  return result_event(result);
}

TEST(TextView, TheResultGoesToItsOwnStream) {
  View view(true);
  view.sink->take(progress_event(in_the_middle()));
  view.sink->take(result_of("all gates are open"));
  EXPECT_THAT(view.result.str(), HasSubstr("100.00 tokens/s (95 % interval 99.000 – 101.00, ±1.0 %)"));
  EXPECT_THAT(view.result.str(), HasSubstr("steady – all gates are open"));
  EXPECT_TRUE(view.log.str().ends_with("\x1b[J")) << "the block is removed";
}

TEST(TextView, QuietShowsTheResultAlone) {
  View view(true, true);
  view.sink->take(progress_event(in_the_middle()));
  view.sink->take(result_of("good"));
  EXPECT_EQ(view.log.str(), "");
  EXPECT_THAT(view.result.str(), HasSubstr("good"));
}

TEST(TextView, AWorkersWordsCannotSteerTheTerminal) {
  View view(true);
  view.sink->take(result_of("the worker gave up: \x1b]0;owned\x07"));
  EXPECT_THAT(view.result.str(), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace etalon::command_line
