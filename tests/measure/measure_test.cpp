// SPDX-License-Identifier: Apache-2.0
// Launches that go well, launches that are never steady, and those that somebody interrupts.
#include "measure/measure.h"

#include <unistd.h>

#include <gmock/gmock.h>

#include "base/clock.h"
#include "measure/harness.h"

namespace etalon::measure {
namespace {

using ::testing::AllOf;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;

TEST(Measure, ASteadyWorkerIsMeasuredOverAWindowAfterWarmUpAndThenStopped) {
  FakeLaunch launch;
  launch.script = {"rate=1000", "noise=0.01", "units=128"};
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::steady) << outcome.reason;
  ASSERT_TRUE(outcome.window.has_value());
  EXPECT_THAT(outcome.window->first_step, AllOf(Ge(95), Le(110)));
  EXPECT_GE(outcome.window->last_step - outcome.window->first_step, 290);
  EXPECT_LT(outcome.window->last_step, outcome.steps);
  EXPECT_EQ(outcome.steps, launch.recorder.steps);
  EXPECT_EQ(outcome.ending, "exited with status 0");
  EXPECT_TRUE(outcome.next_step.empty());
  ASSERT_EQ(outcome.gates.size(), 4U);
  for (const GateState& gate : outcome.gates) EXPECT_TRUE(gate.open) << gate.gate << ": " << gate.reason;
}

TEST(Measure, EveryEventOfTheWorkerIsRecordedWithWhatElseItSaid) {
  FakeLaunch launch;
  launch.recorder.keep_steps = true;
  launch.script = {"steps=200"};
  launch.run();
  ASSERT_NE(launch.recorder.find("hello"), nullptr);
  EXPECT_EQ(launch.recorder.find("hello")->at("engine"), "fake");
  ASSERT_NE(launch.recorder.find("libraries"), nullptr);
  EXPECT_EQ(launch.recorder.find("config")->at("details").at("attention"), "none");
  EXPECT_EQ(launch.recorder.find("done")->at("steps"), 200);
  ASSERT_EQ(launch.recorder.kept_steps.size(), 200U);
  for (std::size_t index = 0; index < 200; ++index)
    EXPECT_EQ(launch.recorder.kept_steps[index].second.index, static_cast<std::int64_t>(index));
}

TEST(Measure, TheControllerRecordsWhatItDecidedAndWhen) {
  FakeLaunch launch;
  launch.script = {"rate=1000"};
  launch.run();
  for (const char* type : {"launch", "first_step", "window_opened", "gate", "concluded", "stop", "ended"})
    EXPECT_NE(launch.recorder.find(type), nullptr) << type;
  EXPECT_GE(launch.recorder.syncs, 3);
}

TEST(Measure, EvaluationsAreTakenOutOfTheWindow) {
  FakeLaunch launch;
  launch.script = {"rate=1000", "eval_every=50", "eval_seconds=0.05"};
  launch.recipe.measure.half_width = 0.01;
  launch.recipe.measure.drift = 0.01;
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::steady) << outcome.reason;
  EXPECT_GT(launch.progress.back().units_per_second.value_or(0), 99'000)
      << "with the evaluations inside it would be 50,000";
}

TEST(Measure, UntilTrainingWaitsForTheLastStepAndItsEvaluation) {
  FakeLaunch launch;
  launch.recipe.measure.until = "training";
  launch.recipe.training.schedule.total_steps = 800;
  launch.recipe.evaluation.sequences = 4;
  launch.script = {"rate=1000", "eval_every=800"};
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::steady) << outcome.reason;
  EXPECT_GE(outcome.window->last_step, 799);
  EXPECT_NE(launch.recorder.find("eval"), nullptr);
}

TEST(Measure, AWorkerThatFinishesByItselfTooEarlyHasNoSteadyState) {
  FakeLaunch launch;
  launch.script = {"rate=1000", "steps=150"};
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::no_steady_state);
  EXPECT_THAT(outcome.reason, HasSubstr("finished by itself after 150 steps"));
}

TEST(Measure, AWorkerThatFinishesByItselfLateEnoughIsSteady) {
  FakeLaunch launch;
  launch.recipe.measure.until = "training";
  launch.recipe.training.schedule.total_steps = 700;
  launch.script = {"rate=1000", "steps=700"};
  EXPECT_EQ(launch.run().verdict, Verdict::steady);
}

TEST(Measure, ARampIsCalledDriftingAtTheCap) {
  FakeLaunch launch;
  launch.script = {"rate=1000", "ramp=0.5"};
  launch.recipe.measure.cap_seconds = 1.5;
  launch.recipe.measure.drift = 0.01;
  launch.recipe.measure.half_width = 0.5;
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::drifting) << outcome.reason;
  EXPECT_THAT(outcome.reason, HasSubstr("drift closed"));
  EXPECT_TRUE(outcome.window.has_value());
}

TEST(Measure, NoiseThatNoWindowAveragesOutHasNoSteadyState) {
  FakeLaunch launch;
  launch.script = {"rate=1000", "noise=0.3"};
  launch.recipe.measure.cap_seconds = 1;
  launch.recipe.measure.half_width = 0.0001;
  launch.recipe.measure.drift = 0.5;
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::no_steady_state) << outcome.reason;
  EXPECT_THAT(outcome.reason, HasSubstr("precision closed"));
}

TEST(Measure, SmokeHasNoGatesAndSaysSo) {
  FakeLaunch launch;
  launch.recipe.measure.profile = "smoke";
  launch.script = {"rate=1000", "noise=0.3", "ramp=0.5"};
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::ungated) << outcome.reason;
  EXPECT_TRUE(outcome.window.has_value());
  EXPECT_EQ(outcome.gates.size(), 2U);
}

TEST(Measure, TwoRanksAreMeasuredAsOneTraining) {
  FakeLaunch launch;
  launch.recipe.launch.gpus = 2;
  launch.script = {"rate=1000", "ranks=2", "units=100"};
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::steady) << outcome.reason;
  EXPECT_NEAR(launch.progress.back().units_per_second.value_or(0), 200'000, 10'000);
}

TEST(Measure, ProgressGoesThroughThePhases) {
  FakeLaunch launch;
  launch.recipe.measure.warmup_seconds = 0.6;
  launch.script = {"rate=1000"};
  launch.run();
  std::vector<std::string> phases;
  for (const Progress& progress : launch.progress) {
    if (phases.empty() || phases.back() != progress.phase) phases.push_back(progress.phase);
  }
  EXPECT_THAT(phases, ::testing::IsSupersetOf({"warming up", "measuring"}));
  EXPECT_EQ(launch.progress.back().unit, "token");
  EXPECT_TRUE(launch.progress.back().loss.has_value());
}

class CountingSource : public Source {
 public:
  std::vector<Channel> channels() const override {
    return {{"count", "", "how often it was asked", "counting", "value", ""},
            {"absent", "W", "nothing", "counting", "not supported", "no such thing"}};
  }
  std::vector<std::optional<double>> sample() override { return {static_cast<double>(++count_)}; }

 private:
  int count_ = 0;
};

TEST(Measure, TelemetryIsSampledWhileTheWorkerRuns) {
  FakeLaunch launch;
  launch.sources.push_back(std::make_unique<CountingSource>());
  launch.script = {"rate=1000"};
  const LaunchOutcome outcome = launch.run();
  EXPECT_GE(launch.recorder.telemetry_rows.size(), 5U);
  EXPECT_EQ(outcome.channels.size(), 2U);
}

TEST(Measure, AnInterruptStopsTheWorkerInOrderAndKeepsTheWindow) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  FakeLaunch launch;
  launch.interrupt_descriptor = ends[0];
  launch.recipe.measure.half_width = 1e-9;
  launch.script = {"rate=1000", "noise=0.1"};
  launch.on_progress = [&ends](const Progress& progress) {
    if (progress.phase == "measuring") {
      EXPECT_EQ(::write(ends[1], "x", 1), 1);
    }
  };
  const LaunchOutcome outcome = launch.run();
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_EQ(outcome.verdict, Verdict::interrupted) << outcome.reason;
  EXPECT_TRUE(outcome.window.has_value());
  EXPECT_EQ(outcome.ending, "exited with status 0");
  ASSERT_NE(launch.recorder.find("done"), nullptr);
  EXPECT_EQ(launch.recorder.find("done")->at("reason"), "stopped");
}

TEST(Measure, AnInterruptBeforeTheWorkerConnectsEndsItAtOnce) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  FakeLaunch launch;
  launch.interrupt_descriptor = ends[0];
  launch.script = {"fault=no_hello"};
  const std::int64_t start_ns = base::monotonic_ns();
  const LaunchOutcome outcome = launch.run();
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_EQ(outcome.verdict, Verdict::interrupted);
  EXPECT_FALSE(outcome.window.has_value());
  EXPECT_LT(base::monotonic_ns() - start_ns, 6'000'000'000);
}

TEST(Measure, AProgramThatDoesNotExistIsAFailedLaunchNotAnException) {
  MemoryRecorder recorder;
  const recipe::Recipe recipe = short_recipe();
  wire::Listener listener("/tmp");
  Session session = session_of(recipe, listener, recorder, "/nowhere/etalon-torch");
  const LaunchOutcome outcome = measure(session);
  EXPECT_EQ(outcome.verdict, Verdict::failed);
  EXPECT_THAT(outcome.reason, HasSubstr("/nowhere/etalon-torch"));
  EXPECT_FALSE(outcome.next_step.empty());
}

/// A disk that is full after some steps.
class FullRecorder : public MemoryRecorder {
 public:
  void step(int rank, const wire::Step& step) override {
    MemoryRecorder::step(rank, step);
    if (steps > 20) throw std::runtime_error("disk full");
  }
};

TEST(Measure, ARecorderThatCannotWriteEndsTheWorkerAndThrows) {
  FullRecorder recorder;
  const recipe::Recipe recipe = short_recipe();
  wire::Listener listener("/tmp");
  Session session = session_of(recipe, listener, recorder, ETALON_FAKE_WORKER);
  EXPECT_THROW(measure(session), std::runtime_error);
}

}  // namespace
}  // namespace etalon::measure
