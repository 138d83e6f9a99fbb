// SPDX-License-Identifier: Apache-2.0
// Headline values of hand-made steps, worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "dossier/dossier.h"
#include "example.h"

namespace etalon::dossier {
namespace {

using example::second;
using ::testing::HasSubstr;

const HeadlineValue& named(const std::vector<HeadlineValue>& headline, const std::string& name) {
  for (const HeadlineValue& value : headline)
    if (value.name == name) return value;
  throw std::runtime_error("no headline value " + name);
}

bool has(const std::vector<HeadlineValue>& headline, const std::string& name) {
  return std::ranges::count(headline, name, &HeadlineValue::name) > 0;
}

/// One rank whose step i ends at ends[i] seconds, each of `units` units; the first starts at 0.
void record(measure::Recorder& recorder, const std::vector<double>& ends, std::int64_t units,
            const std::string& unit = "token") {
  recorder.event("worker", 0, example::hello(0, 1));
  recorder.event("worker", 0, example::config(units, unit));
  std::int64_t start = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto end = static_cast<std::int64_t>(ends[i] * 1e9);
    recorder.step(0, example::step(static_cast<std::int64_t>(i), start, end, units));
    start = end;
  }
  recorder.event("worker", 0,
                 example::done(static_cast<std::int64_t>(ends.size()), static_cast<std::int64_t>(ends.size()) * units));
}

TEST(Headline, IsUnitsOverTimeWithEvaluationsTakenOut) {
  const example::Place place;
  example::write(place / "run");
  const std::vector<HeadlineValue> headline = load(place / "run").headline;
  // 100 steps of 1,000 tokens in 200 s; the 3 s of evaluation do not count.
  EXPECT_EQ(named(headline, "tokens_per_second").estimate.value, 500.0);
  EXPECT_EQ(named(headline, "tokens_per_second").unit, "tokens/s");
  EXPECT_EQ(named(headline, "tokens_per_second_per_device").estimate.value, 500.0);
  EXPECT_EQ(named(headline, "steps_per_second").estimate.value, 0.5);
  EXPECT_EQ(named(headline, "step_time_median").estimate.value, 2000.0);
  EXPECT_EQ(named(headline, "held_out_loss").estimate.value, 1.25);
  EXPECT_EQ(named(headline, "held_out_loss").unit, "nats/token");
  EXPECT_THAT(named(headline, "held_out_loss").method, HasSubstr("150 steps"));
  EXPECT_GE(named(headline, "tokens_per_second").estimate.samples, 10u);
}

TEST(Headline, MeasuresFromTheEndOfTheStepBeforeTheWindow) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  record(writer.begin_launch({}), {10, 11, 13, 14}, 8, "image");
  writer.end_launch(example::steady(1, 2, 4));
  writer.seal(measure::Verdict::steady, "");
  const std::vector<HeadlineValue> headline = load(place / "run").headline;
  // Steps 1 and 2 end at 11 and 13 s, step 0 at 10 s: 16 images in 3 s.
  EXPECT_EQ(named(headline, "images_per_second").estimate.value, 16.0 / 3.0);
  EXPECT_EQ(named(headline, "steps_per_second").estimate.value, 2.0 / 3.0);
  EXPECT_EQ(named(headline, "step_time_median").estimate.value, 1500.0);
  EXPECT_FALSE(has(headline, "held_out_loss"));
}

TEST(Headline, MeasuresFromItsStartWhenTheWindowBeginsWithStepZero) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  record(writer.begin_launch({}), {4, 6}, 10, "sample");
  writer.end_launch(example::steady(0, 1, 2));
  writer.seal(measure::Verdict::steady, "");
  EXPECT_EQ(named(load(place / "run").headline, "samples_per_second").estimate.value, 20.0 / 6.0);
}

TEST(Headline, AddsTheUnitsOfAllRanksAndTakesTheTimeOfTheSlowest) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  measure::Recorder& recorder = writer.begin_launch({});
  for (int rank = 0; rank < 2; ++rank) {
    recorder.event("worker", rank, example::hello(rank, 2));
    recorder.event("worker", rank, example::config(100));
  }
  // Rank 0 ends its steps at 1, 2, 3 s, rank 1 at 1.5, 3, 4.5 s; rank 1 is heard first.
  for (std::int64_t i = 0; i < 3; ++i) {
    recorder.step(1, example::step(i, i * 3 * second / 2, (i + 1) * 3 * second / 2, 100));
    recorder.step(0, example::step(i, i * second, (i + 1) * second, 100));
  }
  for (int rank = 0; rank < 2; ++rank) recorder.event("worker", rank, example::done(3, 300));
  writer.end_launch(example::steady(1, 2, 3));
  writer.seal(measure::Verdict::steady, "");
  const std::vector<HeadlineValue> headline = load(place / "run").headline;
  EXPECT_EQ(named(headline, "tokens_per_second").estimate.value, 400.0 / 3.0);
  EXPECT_EQ(named(headline, "tokens_per_second_per_device").estimate.value, 400.0 / 3.0 / 2.0);
}

TEST(Headline, TakesOutEachMomentOfEvaluationOnce) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  measure::Recorder& recorder = writer.begin_launch({});
  // Two evaluations that overlap cover 12 to 15 s; a third lies before the window, a fourth after it.
  recorder.event("worker", 0, example::eval(0, 1 * second, 2 * second, 9.0));
  recorder.event("worker", 0, example::eval(1, 12 * second, 14 * second, 9.0));
  recorder.event("worker", 0, example::eval(1, 13 * second, 15 * second, 9.0));
  recorder.event("worker", 0, example::eval(1, 30 * second, 40 * second, 9.0));
  record(recorder, {10, 20, 21}, 7);
  writer.end_launch(example::steady(1, 2, 3));
  writer.seal(measure::Verdict::steady, "");
  EXPECT_EQ(named(load(place / "run").headline, "tokens_per_second").estimate.value, 14.0 / 8.0);
}

TEST(Headline, IsTheMeanOfSeveralLaunches) {
  const example::Place place;
  Writer writer = example::begin(place / "run", {"measure.launches=3"});
  for (const double seconds : {1.0, 2.0, 4.0}) {
    record(writer.begin_launch({}), {seconds, 2 * seconds, 3 * seconds}, 8);
    writer.end_launch(example::steady(1, 2, 3));
  }
  writer.seal(measure::Verdict::steady, "");
  const HeadlineValue value = named(load(place / "run").headline, "tokens_per_second");
  // Launch values 8, 4, 2: mean 14/3, standard deviation 3.0550505, t(0.975, 2) = 4.3026527.
  EXPECT_DOUBLE_EQ(value.estimate.value, 14.0 / 3.0);
  EXPECT_EQ(value.estimate.samples, 3u);
  EXPECT_NEAR(value.estimate.high - value.estimate.value, 4.3026527 * 3.0550505 / 1.7320508, 1e-6);
  EXPECT_THAT(value.method, HasSubstr("mean of 3 launches"));
}

TEST(Headline, LeavesOutLaunchesThatFailedOrWereCutShort) {
  const example::Place place;
  Writer writer = example::begin(place / "run", {"measure.launches=3"});
  for (const auto verdict : {measure::Verdict::failed, measure::Verdict::ungated, measure::Verdict::interrupted}) {
    record(writer.begin_launch({}), {1, 2, verdict == measure::Verdict::ungated ? 3.0 : 30.0}, 8);
    measure::LaunchOutcome outcome = example::steady(1, 2, 3);
    outcome.verdict = verdict;
    writer.end_launch(outcome);
  }
  writer.seal(measure::Verdict::interrupted, "");
  const HeadlineValue value = named(load(place / "run").headline, "tokens_per_second");
  EXPECT_EQ(value.estimate.value, 8.0);
  EXPECT_THAT(value.source,
              ::testing::AllOf(HasSubstr("launches/2/steps.csv"), ::testing::Not(HasSubstr("launches/1"))));
}

TEST(Headline, GivesTheInterruptedLaunchWhenThereIsNoOther) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  record(writer.begin_launch({}), {1, 2, 3}, 8);
  measure::LaunchOutcome outcome = example::steady(1, 2, 3);
  outcome.verdict = measure::Verdict::interrupted;
  writer.end_launch(outcome);
  writer.seal(measure::Verdict::interrupted, "stopped by the user");
  EXPECT_EQ(named(load(place / "run").headline, "tokens_per_second").estimate.value, 8.0);
}

TEST(Headline, IsEmptyWithoutAWindow) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  writer.seal(measure::Verdict::refused, "preflight refused the run");
  EXPECT_TRUE(load(place / "run").headline.empty());
}

TEST(Headline, TakesTheFirstEvaluationAfterTheWholeSchedule) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  measure::Recorder& recorder = writer.begin_launch({});
  record(recorder, {1, 2, 3}, 8);
  recorder.event("worker", 0, example::eval(49, 4 * second, 5 * second, 3.0));
  recorder.event("worker", 1, example::eval(50, 5 * second, 6 * second, 9.0));
  recorder.event("worker", 0, example::eval(50, 5 * second, 6 * second, 1.5));
  recorder.event("worker", 0, example::eval(60, 7 * second, 8 * second, 1.4));
  measure::LaunchOutcome outcome = example::steady(1, 2, 3);
  outcome.verdict = measure::Verdict::ungated;
  writer.end_launch(outcome);
  writer.seal(measure::Verdict::ungated, "");
  const HeadlineValue value = named(load(place / "run").headline, "held_out_loss");
  EXPECT_EQ(value.estimate.value, 1.5);
  EXPECT_LT(value.estimate.samples, 2u);
}

TEST(Headline, RefusesAWindowThatIsNotRecorded) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  record(writer.begin_launch({}), {1, 2, 3}, 8);
  writer.end_launch(example::steady(1, 3, 3));
  EXPECT_THROW(writer.seal(measure::Verdict::steady, ""), base::Error);
  EXPECT_FALSE(std::filesystem::exists(place / "run/manifest.sha256"));
}

}  // namespace
}  // namespace etalon::dossier
