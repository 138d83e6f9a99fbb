// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "preflight/preflight.h"

namespace etalon::preflight {
namespace {

recipe::Recipe quick_recipe() {
  recipe::Recipe recipe;
  recipe.training.schedule.total_steps = 1600;
  recipe.launch.startup_deadline_seconds = 300;
  recipe.measure.launches = 1;
  recipe.measure.warmup_seconds = 20;
  recipe.measure.window_seconds = 60;
  recipe.measure.cap_seconds = 600;
  recipe.measure.telemetry_interval_seconds = 0.5;
  return recipe;
}

TEST(Expectation, SpansFromTheShortestWindowToTheCap) {
  const Expectation expectation = expect(quick_recipe());
  EXPECT_EQ(expectation.fewest_seconds, 80);
  EXPECT_EQ(expectation.most_seconds, 900);
}

TEST(Expectation, CountsEveryLaunch) {
  recipe::Recipe recipe = quick_recipe();
  recipe.measure.launches = 3;
  EXPECT_EQ(expect(recipe).fewest_seconds, 240);
  EXPECT_EQ(expect(recipe).most_seconds, 2700);
}

TEST(Expectation, BoundsTheDiskByStepsAndTelemetry) {
  // 8 MB + 24 MB + 1,600 steps of 124 bytes + 1,801 rows of 3,072 bytes
  EXPECT_EQ(expect(quick_recipe()).disk_bytes, 32e6 + 1600 * 124 + 1801 * 3072);
  recipe::Recipe endless = quick_recipe();
  endless.training.schedule.total_steps = 1'000'000'000;
  EXPECT_EQ(expect(endless).disk_bytes, 32e6 + 600 * 2000 * 124 + 1801 * 3072);
}

}  // namespace
}  // namespace etalon::preflight
