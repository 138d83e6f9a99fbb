// SPDX-License-Identifier: Apache-2.0
// The window's life, told with literal steps: when it opens, moves, closes, and with which verdict.
#include "measure/judge.h"

#include <cmath>

#include <gmock/gmock.h>

#include "measure/harness.h"

namespace etalon::measure {
namespace {

using ::testing::HasSubstr;

/// Feeds steps whose duration is a function of the time passed.
class Story {
 public:
  explicit Story(Judge& judge) : judge_(judge) {}

  template <class Duration>
  std::optional<Conclusion> until(double end_seconds, Duration&& duration_seconds) {
    while (static_cast<double>(now_ns_) / 1e9 < end_seconds) {
      const auto duration_ns =
          static_cast<std::int64_t>(1e9 * duration_seconds(static_cast<double>(now_ns_) / 1e9, index_));
      judge_.add(MergedStep{index_++, now_ns_, now_ns_ + duration_ns, 100, duration_ns, now_ns_});
      now_ns_ += duration_ns;
      if (now_ns_ < next_look_ns_) continue;
      next_look_ns_ = now_ns_ + second;
      if (const auto conclusion = judge_.look(now_ns_)) return conclusion;
    }
    return std::nullopt;
  }
  double seconds() const { return static_cast<double>(now_ns_) / 1e9; }

 private:
  Judge& judge_;
  std::int64_t now_ns_ = 0;
  std::int64_t next_look_ns_ = 0;
  std::int64_t index_ = 0;
};

recipe::Recipe one_minute() {
  recipe::Recipe recipe = short_recipe();
  recipe.measure.warmup_seconds = 60;
  recipe.measure.window_seconds = 60;
  recipe.measure.cap_seconds = 600;
  recipe.measure.half_width = 0.01;
  recipe.measure.drift = 0.005;
  recipe.measure.fewest_batches = 20;
  return recipe;
}

double steady(double, std::int64_t) { return 0.1; }
double noisy(double, std::int64_t index) { return 0.1 * (1 + 0.02 * std::sin(static_cast<double>(index) * 1.7)); }

TEST(Judge, TheWindowBeginsWithTheFirstStepAfterWarmUp) {
  const recipe::Recipe recipe = one_minute();
  Judge judge(recipe);
  Story story(judge);
  EXPECT_FALSE(story.until(60, steady).has_value());
  EXPECT_FALSE(judge.window_open());
  story.until(61, steady);
  ASSERT_TRUE(judge.window_open());
  EXPECT_EQ(judge.window()->first_step, 600);
}

TEST(Judge, ASteadyTrainingIsConcludedAfterWarmUpAndWindow) {
  const recipe::Recipe recipe = one_minute();
  Judge judge(recipe);
  Story story(judge);
  const auto conclusion = story.until(600, noisy);
  ASSERT_TRUE(conclusion.has_value());
  EXPECT_EQ(conclusion->verdict, Verdict::steady);
  EXPECT_NEAR(story.seconds(), 121, 1.5);
  EXPECT_EQ(judge.restarts(), 0);
}

TEST(Judge, AConcludedWindowNoLongerGrows) {
  const recipe::Recipe recipe = one_minute();
  Judge judge(recipe);
  Story story(judge);
  story.until(600, noisy);
  const Window window = judge.window().value();
  story.until(200, noisy);
  EXPECT_EQ(judge.window()->last_step, window.last_step);
  EXPECT_GT(judge.steps(), window.last_step + 100);
}

TEST(Judge, SlowStepsAfterWarmUpAreLeftBehindByMovingTheStart) {
  const recipe::Recipe recipe = one_minute();
  Judge judge(recipe);
  Story story(judge);
  // Still warming up until 100 s: 20 % faster afterwards.
  const auto conclusion =
      story.until(600, [](double now, std::int64_t index) { return noisy(now, index) * (now < 100 ? 1.0 : 0.8); });
  ASSERT_TRUE(conclusion.has_value());
  EXPECT_EQ(conclusion->verdict, Verdict::steady) << conclusion->reason;
  EXPECT_GE(judge.restarts(), 1);
  EXPECT_GT(judge.window()->first_step, 1'150);
  EXPECT_NEAR(judge.observation().throughput->units_per_second.value, 1250, 20);
}

TEST(Judge, AConstantRampIsDriftingHoweverOftenTheStartMoves) {
  const recipe::Recipe recipe = one_minute();
  Judge judge(recipe);
  Story story(judge);
  const auto conclusion =
      story.until(700, [](double now, std::int64_t index) { return noisy(now, index) * (1 + now / 1000); });
  ASSERT_TRUE(conclusion.has_value());
  EXPECT_EQ(conclusion->verdict, Verdict::drifting);
  EXPECT_THAT(conclusion->reason, HasSubstr("at the cap of 600 s: "));
  EXPECT_THAT(conclusion->reason, HasSubstr("drift closed (second half "));
  EXPECT_THAT(conclusion->reason, HasSubstr("slower"));
}

TEST(Judge, TooFewBatchesKeepTheWindowOpenUntilThereAreEnough) {
  recipe::Recipe recipe = one_minute();
  recipe.measure.fewest_batches = 40;
  Judge judge(recipe);
  Story story(judge);
  // One step a second: 5 steps a batch, 40 batches are 200 s.
  const auto conclusion = story.until(600, [](double, std::int64_t) { return 1.0; });
  ASSERT_TRUE(conclusion.has_value());
  EXPECT_EQ(conclusion->verdict, Verdict::steady);
  EXPECT_NEAR(story.seconds(), 260, 3);
}

TEST(Judge, ACapDuringWarmUpHasNoWindow) {
  recipe::Recipe recipe = one_minute();
  recipe.measure.cap_seconds = 30;
  Judge judge(recipe);
  Story story(judge);
  const auto conclusion = story.until(100, steady);
  ASSERT_TRUE(conclusion.has_value());
  EXPECT_EQ(conclusion->verdict, Verdict::no_steady_state);
  EXPECT_FALSE(judge.window().has_value());
}

TEST(Judge, TrainingIsAwaitedAndTheWindowReachesItsLastStep) {
  recipe::Recipe recipe = one_minute();
  recipe.measure.until = "training";
  recipe.training.schedule.total_steps = 3000;
  recipe.evaluation.sequences = 8;
  Judge judge(recipe);
  Story story(judge);
  EXPECT_FALSE(story.until(299, noisy).has_value());
  EXPECT_FALSE(story.until(302, noisy).has_value()) << "the evaluation at step 3000 has not come";
  judge.add(wire::Eval{"held-out", 3000, 0, 0, 1, 1});
  ASSERT_TRUE(story.until(305, noisy).has_value());
  EXPECT_GE(judge.window()->last_step, 3000);
}

TEST(Judge, AnEvaluationThatNeverComesIsAwaitedFor50Steps) {
  recipe::Recipe recipe = one_minute();
  recipe.measure.until = "training";
  recipe.training.schedule.total_steps = 3000;
  recipe.evaluation.sequences = 8;
  Judge judge(recipe);
  Story story(judge);
  ASSERT_TRUE(story.until(400, noisy).has_value());
  EXPECT_NEAR(static_cast<double>(judge.steps()), 3055, 10);
}

TEST(Judge, ACapBeforeTheEndOfTrainingKeepsAGoodWindow) {
  recipe::Recipe recipe = one_minute();
  recipe.measure.until = "training";
  recipe.training.schedule.total_steps = 100'000;
  Judge judge(recipe);
  Story story(judge);
  const auto conclusion = story.until(700, noisy);
  ASSERT_TRUE(conclusion.has_value());
  EXPECT_EQ(conclusion->verdict, Verdict::steady);
  EXPECT_THAT(conclusion->reason, HasSubstr("of 100000 steps"));
}

TEST(Judge, AFinishedTrainingEndsTheLaunchThoughTheGatesAreClosed) {
  recipe::Recipe recipe = one_minute();
  recipe.measure.until = "training";
  recipe.measure.half_width = 1e-9;
  recipe.training.schedule.total_steps = 3000;
  recipe.evaluation.sequences = 0;
  Judge judge(recipe);
  Story story(judge);
  const auto conclusion = story.until(310, noisy);
  ASSERT_TRUE(conclusion.has_value());
  EXPECT_EQ(conclusion->verdict, Verdict::no_steady_state);
  EXPECT_THAT(conclusion->reason, HasSubstr("after the training: precision closed"));
  EXPECT_THAT(conclusion->next_step, HasSubstr("close other programs"));
}

TEST(Judge, SixMillionStepsStayInBoundedMemory) {
  recipe::Recipe recipe = one_minute();
  recipe.measure.warmup_seconds = 1;
  recipe.measure.cap_seconds = 6000;
  recipe.measure.half_width = 0;
  Judge judge(recipe);
  for (std::int64_t index = 0; index < 6'000'000; ++index)
    judge.add(MergedStep{index, index * 10'000, (index + 1) * 10'000, 1, 10'000, index * 10'000});
  judge.look(60 * second);
  EXPECT_EQ(judge.steps(), 6'000'000);
  EXPECT_NEAR(judge.observation().throughput->units_per_second.value, 100'000, 1);
}

}  // namespace
}  // namespace etalon::measure
