// SPDX-License-Identifier: Apache-2.0
// kill -9 in the middle of a measurement, of the controller and of the worker: nobody survives as an orphan.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "measure/harness.h"
#include "processes.h"
#include "temporary_folder.h"

namespace etalon::measure {
namespace {

constexpr std::size_t family_size = 7;

FakeLaunch endless(const TemporaryFolder& folder) {
  FakeLaunch launch;
  launch.recipe.measure.half_width = 0;
  launch.recipe.measure.cap_seconds = 60;
  launch.script = {"rate=1000", "noise=0.1", "children=4", "pids=" + folder.path().string()};
  return launch;
}

TEST(Killed, AControllerKilledWhileItMeasuresLeavesNoOrphan) {
  const TemporaryFolder folder;
  const pid_t controller = ::fork();
  if (controller == 0) {
    endless(folder).run();
    ::_exit(0);
  }
  const std::vector<pid_t> processes = processes_in(folder.path(), family_size);
  ::usleep(200'000);
  ::kill(controller, SIGKILL);
  ::waitpid(controller, nullptr, 0);
  expect_all_gone(processes, 20);
}

TEST(Killed, AWorkerKilledWhileItTrainsIsReportedAndItsChildrenEnded) {
  const TemporaryFolder folder;
  const pid_t controller = ::fork();
  if (controller == 0) {
    const LaunchOutcome outcome = endless(folder).run();
    const bool reported =
        outcome.verdict == Verdict::failed && outcome.reason.find("killed by signal 9") != std::string::npos;
    ::_exit(reported ? 0 : 1);
  }
  const std::vector<pid_t> processes = processes_in(folder.path(), family_size);
  pid_t worker = 0;
  ASSERT_TRUE(std::ifstream(folder / "worker") >> worker);
  ::kill(worker, SIGKILL);
  int status = -1;
  ::waitpid(controller, &status, 0);
  EXPECT_EQ(status, 0);
  expect_all_gone(processes, 0);
}

}  // namespace
}  // namespace etalon::measure
