// SPDX-License-Identifier: Apache-2.0
// Everything that a worker may do wrong ends the launch, soon, with the reason in words.
#include <gmock/gmock.h>

#include "base/clock.h"
#include "measure/harness.h"

namespace etalon::measure {
namespace {

using ::testing::HasSubstr;

struct FaultCase {
  std::string fault;
  std::string reason;     ///< part of it
  std::string next_step;  ///< part of it
};

void PrintTo(const FaultCase& fault_case, std::ostream* out);
void PrintTo(const FaultCase& fault_case, std::ostream* out) { *out << fault_case.fault; }

class Fault : public ::testing::TestWithParam<FaultCase> {};

TEST_P(Fault, EndsTheLaunchWithItsReason) {
  FakeLaunch launch;
  launch.script = {"rate=2000", "fault=" + GetParam().fault};
  // Short where the deadline itself is tried; elsewhere a busy machine must not run into it.
  const bool never_steps = GetParam().fault == "no_hello" || GetParam().fault == "no_step";
  launch.recipe.launch.startup_deadline_seconds = never_steps ? 1 : 15;
  launch.recipe.launch.silence_deadline_seconds = GetParam().fault == "hang" ? 1 : 15;
  const std::int64_t start_ns = base::monotonic_ns();
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::failed);
  EXPECT_THAT(outcome.reason, HasSubstr(GetParam().reason));
  EXPECT_THAT(outcome.next_step, HasSubstr(GetParam().next_step));
  EXPECT_FALSE(outcome.ending.empty());
  EXPECT_LT(static_cast<double>(base::monotonic_ns() - start_ns) / 1e9, 20);
}

INSTANTIATE_TEST_SUITE_P(
    OfTheWorker, Fault,
    ::testing::Values(FaultCase{"exit_at_once", "exited with status 5 before it connected", "worker.log"},
                      FaultCase{"no_hello", "no step within 1 s", "startup_deadline_seconds"},
                      FaultCase{"no_step", "no step within 1 s", "startup_deadline_seconds"},
                      FaultCase{"no_config", "\"step\" came before \"config\"", "protocol.md"},
                      FaultCase{"wrong_version", "version 999", "protocol.md"},
                      FaultCase{"wrong_world", "\"world_size\" is 7", "protocol.md"},
                      FaultCase{"step_first", "\"step\" came before \"hello\"", "protocol.md"},
                      FaultCase{"double_hello", "said \"hello\" twice", "protocol.md"},
                      FaultCase{"second_connection", "\"hello\" on two connections", "protocol.md"},
                      FaultCase{"crash", "killed by signal 11", "worker.log"},
                      FaultCase{"killed", "killed by signal 9", "memory ran out"},
                      FaultCase{"exit",
                                "exited with status 3 after 50 steps; its last words: RuntimeError: nothing works",
                                "worker.log"},
                      FaultCase{"hang", "said nothing for 1 s", "silence_deadline_seconds"},
                      FaultCase{"garbage", "not valid JSON", "protocol.md"}, FaultCase{"deep", "deeper", "protocol.md"},
                      FaultCase{"unknown", "unknown type \"banana\"", "protocol.md"},
                      FaultCase{"half_line", "in the middle of a line", "done"},
                      FaultCase{"huge_line", "longer than the 65536 bytes", "protocol.md"},
                      FaultCase{"gap", "step 51 came where step 50 was due", "protocol.md"},
                      FaultCase{"backwards", "time goes backwards", "protocol.md"},
                      FaultCase{"future", "CLOCK_MONOTONIC", "protocol.md"},
                      FaultCase{"wrong_units", "did 101 tokens, \"config\" said 100", "protocol.md"},
                      FaultCase{"nan_loss", "loss stopped being a finite number after 50 steps", "lr"},
                      FaultCase{"python_nan", "loss stopped being a finite number", "lr"},
                      FaultCase{"early_close", "closed its connection after 50 steps", ""},
                      FaultCase{"out_of_memory", "gave up after 50 steps: out of memory: tried to allocate 2 GiB",
                                "lower training.micro_batch"},
                      FaultCase{"flood_notes", "more than 64 MiB of events that are not steps", "protocol.md"}),
    [](const auto& instance) { return instance.param.fault; });

TEST(FaultAtTheEnd, ALieAboutTheStepsIsFoundOutAndTheWindowKept) {
  FakeLaunch launch;
  launch.script = {"rate=1000", "fault=lie_steps"};
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::failed);
  EXPECT_THAT(outcome.reason, HasSubstr("had been reported"));
  EXPECT_TRUE(outcome.window.has_value());
}

TEST(FaultAtTheEnd, ALieAboutTheUnitsIsFoundOut) {
  FakeLaunch launch;
  launch.script = {"rate=1000", "steps=20", "fault=lie_units"};
  EXPECT_EQ(launch.run().verdict, Verdict::failed);
}

TEST(FaultAtTheEnd, AWorkerThatLeavesWithoutDoneHasFailed) {
  FakeLaunch launch;
  launch.script = {"rate=1000", "steps=20", "fault=no_done"};
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::failed);
  EXPECT_THAT(outcome.reason, HasSubstr("exited with status 0 after 20 steps, without having said \"done\""));
}

TEST(FaultAtTheEnd, AWorkerThatIgnoresStopIsEnded) {
  FakeLaunch launch;
  launch.script = {"rate=1000", "fault=ignore_stop"};
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::failed);
  EXPECT_THAT(outcome.reason, HasSubstr("after it was told to stop"));
}

TEST(FaultAtTheEnd, AWorkerThatHangsAtStopIsEnded) {
  FakeLaunch launch;
  launch.script = {"rate=1000", "fault=hang_at_stop"};
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::failed);
  EXPECT_THAT(outcome.reason, HasSubstr("of being told to stop"));
}

TEST(FaultAtTheEnd, ACrashAfterDoneIsRecordedAndTheMeasurementStands) {
  FakeLaunch launch;
  launch.script = {"rate=1000", "fault=crash_after_done"};
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::steady);
  EXPECT_THAT(outcome.ending, HasSubstr("killed by signal 11"));
}

TEST(FaultAtTheEnd, AWorkerThatStaysAfterDoneIsEndedAndTheMeasurementStands) {
  FakeLaunch launch;
  launch.script = {"rate=1000", "fault=hang_after_done"};
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::steady);
  EXPECT_THAT(outcome.ending, HasSubstr("when étalon ended it"));
}

}  // namespace
}  // namespace etalon::measure
