// SPDX-License-Identifier: Apache-2.0
// The records of detached runs.
#include "command_line/run_record.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "temporary_folder.h"

namespace etalon::command_line {
namespace {

using base::Json;
using testing::HasSubstr;

Json progress_at(double seconds) { return {{"event", "progress"}, {"elapsed_seconds", seconds}}; }

TEST(RunRecord, KeepsEventsAndAtMostOneProgressASecond) {
  const TemporaryFolder parent;
  RunRecord record(parent.path(), "run");
  record.take({{"event", "planned"}});
  for (double seconds = 0; seconds < 3; seconds += 0.2) record.take(progress_at(seconds));
  RecordReader reader(record.folder() / record_events);
  EXPECT_EQ(reader.take().size(), 4U);
  EXPECT_TRUE(reader.take().empty());
  record.take({{"event", "result"}});
  EXPECT_EQ(reader.take().at(0).at("event"), "result");
}

TEST(RunRecord, IsRunningAsLongAsItsProcessHoldsIt) {
  const TemporaryFolder parent;
  {
    RunRecord record(parent.path(), "run");
    record.belongs_to(4242);
    const RecordedRun run = find_run(parent.path(), "");
    EXPECT_TRUE(run.running);
    EXPECT_EQ(run.process, 4242);
  }
  EXPECT_FALSE(find_run(parent.path(), "run").running);
}

TEST(RunRecord, NeverSharesAFolder) {
  const TemporaryFolder parent;
  const RunRecord first(parent.path(), "run");
  const RunRecord second(parent.path(), "run");
  EXPECT_EQ(second.folder().filename(), "run-2");
}

TEST(RunRecord, TheOldestEndedOnesMakeRoom) {
  const TemporaryFolder parent;
  for (int number = 0; number < 25; ++number) RunRecord(parent.path(), "run" + std::to_string(number));
  EXPECT_EQ(recorded_runs(parent.path()).size(), 20U);
  EXPECT_EQ(recorded_runs(parent.path()).front().name, "run24");
}

TEST(FindRun, NamesWhatIsThereForAMistypedName) {
  const TemporaryFolder parent;
  try {
    find_run(parent.path(), "");
    FAIL() << "nothing was there";
  } catch (const base::Error& error) {
    EXPECT_THAT(error.next_step(), HasSubstr("--detach"));
  }
  const RunRecord record(parent.path(), "20261201-nano");
  try {
    find_run(parent.path(), "20261201-nan");
    FAIL() << "no such run";
  } catch (const base::Error& error) {
    EXPECT_THAT(error.next_step(), HasSubstr("20261201-nano"));
  }
}

TEST(RecordReader, WaitsForTheOtherHalfOfALineAndSkipsWhatIsNone) {
  const TemporaryFolder folder;
  RecordReader reader(folder / "events");
  EXPECT_TRUE(reader.take().empty());
  std::ofstream file(folder / "events");
  file << "{\"event\":\"planned\"}\ngarbage\n{\"event\":" << std::flush;
  EXPECT_EQ(reader.take().size(), 1U);
  file << "\"result\"}\n" << std::flush;
  EXPECT_EQ(reader.take().at(0).at("event"), "result");
}

TEST(RunRecordsFolder, FollowsTheUsersConvention) {
  ::setenv("XDG_STATE_HOME", "/somewhere", 1);
  EXPECT_EQ(run_records_folder(), "/somewhere/etalon/runs");
  ::unsetenv("XDG_STATE_HOME");
  ::setenv("HOME", "/home/of-mine", 1);
  EXPECT_EQ(run_records_folder(), "/home/of-mine/.local/state/etalon/runs");
}

}  // namespace
}  // namespace etalon::command_line
