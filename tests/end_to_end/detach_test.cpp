// SPDX-License-Identifier: Apache-2.0
// Runs that outlive their terminal, on the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "end_to_end/program.h"

namespace {

using testing::HasSubstr;

TEST(Detach, TheRunGoesOnAndAttachShowsItsResult) {
  const Place place(steady);
  // The session of a closed terminal: its leader ends, and SIGHUP reaches all that stayed in it.
  const Place::Ended started = place.run(smoke_run({"--detach"}), [] { ::setsid(); });
  ASSERT_EQ(started.status, 0) << started.errors;
  EXPECT_THAT(started.output, HasSubstr("etalon attach dossier"));
  const Place::Ended attached = place.run({"attach"});
  EXPECT_EQ(attached.status, 0) << attached.errors;
  EXPECT_THAT(attached.errors, HasSubstr("recipe      nano"));
  EXPECT_THAT(attached.output, HasSubstr("tokens/s"));
  EXPECT_THAT(attached.output, HasSubstr("ungated"));
  EXPECT_EQ(place.run({"verify", "dossier"}).status, 0);
  EXPECT_THAT(place.run({"attach", "--list"}).output, HasSubstr("dossier  ended"));
  EXPECT_TRUE(place.nothing_is_left());
}

TEST(Detach, StopEndsTheRunInOrderAndSealsIt) {
  const Place place("rate=500 children=1");
  const Place::Ended started =
      place.run({"run", "nano", "--output", "dossier", "--detach", "--set", "measure.profile=quick"});
  ASSERT_EQ(started.status, 0) << started.errors;
  ASSERT_TRUE(place.trains("dossier"));
  const Place::Ended stopped = place.run({"attach", "--stop"});
  EXPECT_EQ(stopped.status, 130) << stopped.errors;
  EXPECT_THAT(stopped.output, HasSubstr("interrupted"));
  EXPECT_TRUE(place.nothing_is_left());
  EXPECT_EQ(place.run({"verify", "dossier"}).status, 0);
  EXPECT_EQ(place.run({"attach", "--stop"}).status, 2);
}

TEST(Detach, LeavingTheViewLeavesTheRun) {
  const Place place(steady);
  ASSERT_EQ(place.run(smoke_run({"--detach", "--set", "measure.window_seconds=3"})).status, 0);
  std::filesystem::remove(place / "errors");  // of the start
  const pid_t watching = place.start({"attach"});
  for (int attempt = 0; attempt < 500 && Place::text_of(place / "errors").find("step") == std::string::npos; ++attempt)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ::kill(watching, SIGINT);
  const Place::Ended left = place.wait(watching);
  EXPECT_EQ(left.status, 130);
  EXPECT_THAT(left.errors, HasSubstr("goes on"));
  const Place::Ended again = place.run({"attach"});
  EXPECT_EQ(again.status, 0) << again.errors;
}

TEST(Detach, ARefusalIsToldWhereTheRunWasStarted) {
  const Place place(steady);
  const Place::Ended wrong = place.run(smoke_run({"--detach", "--set", "training.micro_bacth=4"}));
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("training.micro_batch"));
  const Place::Ended refused =
      place.run({"run", "nano", "--detach", "--output", "/proc/etalon/dossier", "--set", "measure.profile=smoke"});
  EXPECT_EQ(refused.status, 3) << refused.output;
  EXPECT_THAT(refused.errors, HasSubstr("/proc/etalon"));
}

TEST(Attach, SaysWhenARunDiedWithoutAResult) {
  const Place place("rate=500 children=1");
  ASSERT_EQ(place.run({"run", "nano", "--output", "dossier", "--detach", "--set", "measure.profile=quick"}).status, 0);
  const std::string process = Place::text_of(place / ".local/state/etalon/runs/dossier/process");
  ::kill(static_cast<pid_t>(std::stol(process)), SIGKILL);
  EXPECT_TRUE(place.nothing_is_left());
  const Place::Ended attached = place.run({"attach"});
  EXPECT_EQ(attached.status, 4) << attached.errors;
  EXPECT_THAT(attached.errors, HasSubstr("ended without a result"));
}

}  // namespace
