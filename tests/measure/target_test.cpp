// SPDX-License-Identifier: Apache-2.0
// A launch that goes on until its target loss is found, or its schedule is over.
#include <gmock/gmock.h>

#include "measure/harness.h"
#include "measure/judge.h"

namespace etalon::measure {
namespace {

using ::testing::HasSubstr;

recipe::Recipe with_target(double loss) {
  recipe::Recipe recipe = short_recipe();
  recipe.measure.until = "target";
  recipe.measure.profile = "smoke";
  recipe.measure.warmup_seconds = 0;
  recipe.measure.window_seconds = 5;
  recipe.measure.cap_seconds = 100;
  recipe.training.schedule.total_steps = 60;
  recipe.evaluation.sequences = 8;
  recipe.target.loss = loss;
  return recipe;
}

/// Steps of one second up to `end`.
void train_to(Judge& judge, std::int64_t end) {
  while (judge.steps() < end) {
    const std::int64_t index = judge.steps();
    judge.add(MergedStep{index, index * second, (index + 1) * second, 100, second, index * second});
  }
}

wire::Eval found(std::int64_t step, double loss) { return {"held-out", step, 0, 0, 1, loss}; }

TEST(JudgeOfATarget, ConcludesOnceItIsFound) {
  const recipe::Recipe recipe = with_target(3.2);
  Judge judge(recipe);
  train_to(judge, 20);
  judge.add(found(20, 3.3));
  EXPECT_FALSE(judge.look(20 * second).has_value()) << "all gates are open, and the target is not reached";
  train_to(judge, 40);
  judge.add(found(40, 3.2));
  const auto conclusion = judge.look(40 * second);
  ASSERT_TRUE(conclusion.has_value());
  EXPECT_EQ(judge.target_step(), 40);
  EXPECT_THAT(conclusion->reason, HasSubstr("the target loss of 3.2 was reached by the evaluation after 40 steps; "));
}

TEST(JudgeOfATarget, SaysPlainlyThatItWasNeverReached) {
  const recipe::Recipe recipe = with_target(3.2);
  Judge judge(recipe);
  train_to(judge, 60);
  judge.add(found(40, 3.25));
  judge.add(found(60, 3.3));
  const auto conclusion = judge.look(60 * second);
  ASSERT_TRUE(conclusion.has_value());
  EXPECT_THAT(conclusion->reason,
              HasSubstr("the target loss of 3.2 was not reached, the lowest held-out loss was 3.25000; "));
}

TEST(JudgeOfATarget, LooksAtHeldOutDataOfTheFirstRankAlone) {
  const recipe::Recipe recipe = with_target(3.2);
  Judge judge(recipe);
  train_to(judge, 10);
  judge.add(found(10, 1.0), 1);
  judge.add(wire::Eval{"training data", 10, 0, 0, 1, 1.0});
  EXPECT_FALSE(judge.target_step().has_value());
}

TEST(JudgeOfATarget, WaitsForTheWindowToHaveItsLength) {
  const recipe::Recipe recipe = with_target(3.2);
  Judge judge(recipe);
  train_to(judge, 3);
  judge.add(found(3, 3.0));
  EXPECT_FALSE(judge.look(3 * second).has_value());
  train_to(judge, 6);
  EXPECT_TRUE(judge.look(6 * second).has_value());
}

TEST(Target, IsRecordedWhenItIsReached) {
  FakeLaunch launch;  // its evaluations find 1.5
  launch.recipe.measure.until = "target";
  launch.recipe.target.loss = 2.0;
  launch.recipe.evaluation.sequences = 8;
  launch.recipe.training.schedule.total_steps = 1'000'000;
  launch.script = {"rate=1000", "eval_every=100", "eval_seconds=0.005"};
  const LaunchOutcome outcome = launch.run();
  EXPECT_THAT(outcome.reason, HasSubstr("the target loss of 2 was reached by the evaluation after 100 steps"));
  const base::Json* event = launch.recorder.find("target_reached");
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->at("step"), 100);
  EXPECT_EQ(event->at("loss"), 1.5);
  EXPECT_EQ(event->at("target"), 2.0);
}

}  // namespace
}  // namespace etalon::measure
