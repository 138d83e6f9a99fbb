// SPDX-License-Identifier: Apache-2.0
// 100,000 steps a second: none is lost, and memory stays bounded.
#include <sys/resource.h>

#include <gmock/gmock.h>

#include "measure/harness.h"

namespace etalon::measure {
namespace {

using ::testing::HasSubstr;

TEST(Flood, OfStepsIsRecordedWithoutLoss) {
  FakeLaunch launch;
  launch.recipe.measure.until = "training";
  launch.recipe.training.schedule.total_steps = 200'000;
  launch.recipe.measure.cap_seconds = 60;
  launch.script = {"rate=100000", "steps=200000"};
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::steady) << outcome.reason;
  EXPECT_EQ(launch.recorder.steps, 200'000);
  EXPECT_EQ(launch.recorder.find("done")->at("steps"), 200'000);
}

TEST(Flood, OfOutputIsKeptAtBothEnds) {
  FakeLaunch launch;
  launch.script = {"rate=1000", "output=20000000"};
  const LaunchOutcome outcome = launch.run();
  EXPECT_EQ(outcome.verdict, Verdict::steady) << outcome.reason;
  EXPECT_LT(launch.recorder.output.size(), 9'000'000U);
  EXPECT_THAT(launch.recorder.output, HasSubstr("bytes of output left out here"));
}

}  // namespace
}  // namespace etalon::measure
