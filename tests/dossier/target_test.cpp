// SPDX-License-Identifier: Apache-2.0
// The time to a target loss from hand-made steps and evaluations, and what verify says of a claim that they do not bear.
#include "dossier/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dossier/verify.h"
#include "example.h"

namespace etalon::dossier {
namespace {

using example::second;
using ::testing::HasSubstr;

const HeadlineValue* find(const std::vector<HeadlineValue>& headline, const std::string& name) {
  const auto found = std::ranges::find(headline, name, &HeadlineValue::name);
  return found == headline.end() ? nullptr : &*found;
}

/// Six steps of `step_seconds` and 1,000 tokens; after steps 2, 4 and 6 an evaluation of 3 s with the loss of `losses`.
void record(measure::Recorder& recorder, std::int64_t step_seconds, const std::vector<double>& losses,
            std::optional<std::int64_t> reached) {
  recorder.event("worker", 0, example::hello(0, 1));
  recorder.event("worker", 0, example::config(1000));
  std::int64_t now = 100 * second;
  for (std::int64_t i = 0; i < 6; ++i) {
    recorder.step(0, example::step(i, now, now + step_seconds * second, 1000));
    now += step_seconds * second;
    if (i % 2 == 0) continue;
    recorder.event("worker", 0, example::eval(i + 1, now, now + 3 * second, losses[static_cast<std::size_t>(i / 2)]));
    if (reached == i + 1)
      recorder.event("controller", 0, {{"type", "target_reached"}, {"step", i + 1}, {"loss", 0}, {"target", 3.2}});
    now += 3 * second;
  }
  recorder.event("worker", 0, example::done(6, 6000));
}

measure::LaunchOutcome ungated(std::int64_t last_step = 5) {
  measure::LaunchOutcome outcome = example::steady(1, last_step, last_step + 1);
  outcome.verdict = measure::Verdict::ungated;
  return outcome;
}

Writer begin(const std::filesystem::path& folder) {
  return example::begin(folder, {"target.loss=3.2", "measure.until=\"target\"", "evaluation.sequences=8",
                                 "evaluation.every_steps=2", "measure.profile=\"smoke\""});
}

TEST(Target, IsReachedByTheFirstEvaluationThatFindsIt) {
  const example::Place place;
  Writer writer = begin(place / "run");
  record(writer.begin_launch({}), 5, {4.0, 3.2, 3.0}, 4);
  writer.end_launch(ungated());
  writer.seal(measure::Verdict::ungated, "");
  const TargetOutcome outcome = target_outcome(place / "run/launches/1", read_events(place / "run/launches/1"), 3.2);
  EXPECT_EQ(outcome.reached_by->step, 4);
  EXPECT_EQ(outcome.last_miss->loss, 4.0);
  EXPECT_EQ(outcome.training_ns, 20 * second);  // four steps of 5 s; the evaluation of 3 s between them taken out
  EXPECT_EQ(outcome.evaluation_ns, 6 * second);
  EXPECT_EQ(outcome.units, 4000);
  const std::vector<HeadlineValue> headline = load(place / "run").headline;
  EXPECT_EQ(find(headline, "launches_reaching_target")->estimate.value, 1);
  EXPECT_EQ(find(headline, "time_to_target")->estimate.value, 20.0);
  EXPECT_EQ(find(headline, "time_to_target")->estimate.samples, 1u);
  EXPECT_EQ(find(headline, "evaluation_time_to_target")->estimate.value, 6.0);
  EXPECT_EQ(find(headline, "steps_to_target")->estimate.value, 4.0);
  EXPECT_TRUE(verify(place / "run").findings.empty());
}

TEST(Target, HasAnIntervalOverLaunches) {
  const example::Place place;
  Writer writer = begin(place / "run");
  for (const std::int64_t seconds : {5, 6, 7}) {
    record(writer.begin_launch({}), seconds, {4.0, 3.0, 2.0}, 4);
    writer.end_launch(ungated());
  }
  writer.seal(measure::Verdict::ungated, "");
  const std::vector<HeadlineValue> headline = load(place / "run").headline;
  const HeadlineValue& value = *find(headline, "time_to_target");
  // Launch values 20, 24, 28: mean 24, standard deviation 4, t(0.975, 2) = 4.3026527.
  EXPECT_EQ(value.estimate.value, 24.0);
  EXPECT_EQ(value.estimate.samples, 3u);
  EXPECT_NEAR(value.estimate.high - 24, 4.3026527 * 4 / 1.7320508, 1e-6);
  EXPECT_THAT(value.method, HasSubstr("mean of 3 launches"));
}

TEST(Target, HasNoTimeUnlessEveryLaunchReachedIt) {
  const example::Place place;
  Writer writer = begin(place / "run");
  record(writer.begin_launch({}), 5, {4.0, 3.0, 2.0}, 4);
  writer.end_launch(ungated());
  record(writer.begin_launch({}), 5, {4.0, 3.5, 3.3}, std::nullopt);
  writer.end_launch(ungated());
  writer.seal(measure::Verdict::ungated, "");
  const std::vector<HeadlineValue> headline = load(place / "run").headline;
  EXPECT_EQ(find(headline, "launches_reaching_target")->estimate.value, 1);
  EXPECT_THAT(find(headline, "launches_reaching_target")->meaning, HasSubstr("launches, of 2, that reached"));
  EXPECT_EQ(find(headline, "time_to_target"), nullptr);
  EXPECT_TRUE(verify(place / "run").findings.empty());
}

TEST(Target, OfALaunchThatWasInterruptedBeforeItCountsNothing) {
  const example::Place place;
  Writer writer = begin(place / "run");
  record(writer.begin_launch({}), 5, {4.0, 3.5, 3.3}, std::nullopt);
  measure::LaunchOutcome outcome = ungated();
  outcome.verdict = measure::Verdict::interrupted;
  writer.end_launch(outcome);
  writer.seal(measure::Verdict::interrupted, "");
  EXPECT_EQ(find(load(place / "run").headline, "launches_reaching_target"), nullptr);
}

TEST(Target, SaidToBeReachedMustBeFoundInTheEvaluations) {
  for (const auto& [losses, said, words] :
       {std::tuple{std::vector{4.0, 3.5, 3.3}, std::optional<std::int64_t>(4), "the evaluations say not reached"},
        std::tuple{std::vector{3.0, 2.5, 2.3}, std::optional<std::int64_t>(4),
                   "the evaluations say reached after 2 steps"},
        std::tuple{std::vector{4.0, 3.0, 2.0}, std::optional<std::int64_t>(), "said to be not reached"}}) {
    const example::Place place;
    Writer writer = begin(place / "run");
    record(writer.begin_launch({}), 5, losses, said);
    writer.end_launch(ungated());
    writer.seal(measure::Verdict::ungated, "");
    const Verification verification = verify(place / "run");
    ASSERT_EQ(verification.findings.size(), 1u);
    EXPECT_EQ(verification.findings.front().place, "launches/1/events.jsonl");
    EXPECT_THAT(verification.findings.front().problem, HasSubstr(words));
  }
}

TEST(SourceEntropy, GivesHowFarTheLossLiesAboveIt) {
  const example::Place place;
  Writer writer = example::begin(place / "run");
  measure::Recorder& recorder = writer.begin_launch({});
  recorder.event("worker", 0, example::hello(0, 1));
  base::Json config = example::config(1000);
  config["details"]["data"] = {{"entropy_nats_per_token", 1.6}};
  recorder.event("worker", 0, config);
  for (std::int64_t i = 0; i < 3; ++i) recorder.step(0, example::step(i, i * second, (i + 1) * second, 1000));
  recorder.event("worker", 0, example::eval(50, 3 * second, 4 * second, 2.0));
  recorder.event("worker", 0, example::done(3, 3000));
  writer.end_launch(ungated(2));
  writer.seal(measure::Verdict::ungated, "");
  const std::vector<HeadlineValue> headline = load(place / "run").headline;
  EXPECT_NEAR(find(headline, "held_out_loss_above_entropy")->estimate.value, 25.0, 1e-12);
  EXPECT_EQ(find(headline, "held_out_loss_above_entropy")->unit, "%");
}

}  // namespace
}  // namespace etalon::dossier
