// SPDX-License-Identifier: Apache-2.0
// Steps of several ranks joined, row by row, as headline and verify join them.
#include "dossier/steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "dossier/example.h"
#include "dossier/window.h"

namespace etalon::dossier {
namespace {

const std::string header = "rank,index,start_ns,end_ns,gpu_ns,units,loss_nats\n";

std::vector<JoinedStep> steps_of(const std::string& rows, const LaunchEvents& events) {
  const example::Place place;
  example::overwrite(place / "steps.csv", header + rows);
  std::vector<JoinedStep> steps;
  for_each_step(place.path(), events, [&](const JoinedStep& step) { steps.push_back(step); });
  return steps;
}

LaunchEvents ranks(int world_size) {
  LaunchEvents events;
  events.world_size = world_size;
  return events;
}

TEST(Steps, EndWithTheLastRankAndBeginWithTheFirst) {
  const auto steps =
      steps_of("0,0,100,190,80,5,2\n1,0,110,200,85,5,4\n1,1,210,290,70,5,\n0,1,205,300,75,5,1\n", ranks(2));
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].start_ns, 100);
  EXPECT_EQ(steps[0].end_ns, 200);
  EXPECT_EQ(steps[0].duration_ns, 100);
  EXPECT_EQ(steps[0].units, 10);
  EXPECT_EQ(steps[0].gpu_ns, 85);
  EXPECT_EQ(steps[0].loss_nats, 3.0);
  EXPECT_EQ(steps[1].duration_ns, 100);
  EXPECT_EQ(steps[1].waiting_ns, 5);
  EXPECT_EQ(steps[1].loss_nats, 1.0);
}

TEST(Steps, LeaveOutWhatNotAllRanksFinished) {
  EXPECT_EQ(steps_of("0,0,100,190,,5,\n0,1,190,200,,5,\n1,0,110,200,,5,\n", ranks(2)).size(), 1u);
}

TEST(Steps, DoNotContainEvaluations) {
  LaunchEvents events = ranks(1);
  events.evals.push_back({1, 210, 250, 1, 0.5, "held-out", 0});
  const auto steps = steps_of("0,0,100,200,,5,\n0,1,260,300,,5,\n", events);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[1].duration_ns, 60);
  EXPECT_EQ(steps[1].waiting_ns, 20);
}

TEST(Steps, AgreeWithTheWindowOfTheHeadline) {
  const example::Place place;
  example::write(place / "run");
  const std::filesystem::path launch = place / "run/launches/1";
  const LaunchEvents events = read_events(launch);
  const WindowSeries window = read_window(launch, {0, example::example_steps - 1}, events);
  std::size_t count = 0;
  for_each_step(launch, events, [&](const JoinedStep& step) {
    EXPECT_EQ(step.duration_ns, window.steps.at(count).duration_ns);
    EXPECT_EQ(step.units, window.steps.at(count).units);
    ++count;
  });
  EXPECT_EQ(count, window.steps.size());
}

TEST(Steps, NameTheRowThatIsWrong) {
  try {
    steps_of("0,0,100,200,,5,\n0,2,210,300,,5,\n", ranks(1));
    FAIL() << "a gap was accepted";
  } catch (const base::Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("steps.csv:3: step 2 does not follow the steps before it"));
  }
}

}  // namespace
}  // namespace etalon::dossier
