// SPDX-License-Identifier: Apache-2.0
// Jobs: how a worker is started, what it sees, how it is ended, and that nothing of its tree is left however it went.
#include "launch/job.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include <gmock/gmock.h>

#include "base/clock.h"
#include "base/error.h"
#include "launch/guard.h"
#include "processes.h"
#include "temporary_folder.h"

namespace etalon::launch {
namespace {

using ::testing::HasSubstr;

Command shell(const std::string& script) {
  Command command;
  command.program = "/bin/sh";
  command.arguments = {"-c", script};
  return command;
}

Ending wait_for(Job& job) {
  while (true) {
    if (const std::optional<Ending> ending = job.poll()) return *ending;
    pollfd watched{job.ended_descriptor(), POLLIN, 0};
    ::poll(&watched, 1, 10'000);
  }
}

std::string output_of(Job& job) {
  std::string output;
  char block[4096];
  ssize_t size = 0;
  while ((size = ::read(job.output_descriptor(), block, sizeof block)) > 0)
    output.append(block, static_cast<std::size_t>(size));
  return output;
}

std::string run(const Command& command) {
  Job job(command);
  wait_for(job);
  return output_of(job);
}

/// A worker with four children that ignore SIGTERM; two have left session and group, and have a child each.
Command family(const TemporaryFolder& folder) {
  Command command;
  command.program = ETALON_FAKE_WORKER;
  command.arguments = {"children=4", "pids=" + folder.path().string(), "fault=hang_at_once"};
  return command;
}
constexpr std::size_t family_size = 7;

TEST(Job, TellsHowTheWorkerEnded) {
  Job fine(shell("exit 0"));
  EXPECT_EQ(wait_for(fine).in_words(), "exited with status 0");
  Job wrong(shell("exit 3"));
  EXPECT_EQ(wait_for(wrong).in_words(), "exited with status 3");
  Job dead(shell("kill -SEGV $$"));
  EXPECT_EQ(wait_for(dead).in_words(), "killed by signal 11 (Segmentation fault)");
}

TEST(Job, CollectsOutputAndErrorsInOneStream) { EXPECT_EQ(run(shell("echo out; echo err >&2")), "out\nerr\n"); }

TEST(Job, GivesAnEmptyInput) { EXPECT_EQ(run(shell("cat; echo end")), "end\n"); }

TEST(Job, SetsAndUnsetsVariables) {
  ::setenv("ETALON_TEST_OLD", "old", 1);
  ::setenv("ETALON_TEST_GONE", "here", 1);
  Command command = shell("echo $ETALON_TEST_OLD-$ETALON_TEST_NEW-${ETALON_TEST_GONE-unset}");
  command.set = {{"ETALON_TEST_NEW", "new"}, {"ETALON_TEST_OLD", "changed"}};
  command.unset = {"ETALON_TEST_GONE"};
  EXPECT_EQ(run(command), "changed-new-unset\n");
}

TEST(Job, StartsInTheFolderThatIsAsked) {
  Command command = shell("pwd");
  command.working_folder = "/usr";
  EXPECT_EQ(run(command), "/usr\n");
}

TEST(Job, FindsProgramsInPath) {
  Command command;
  command.program = "sh";
  command.arguments = {"-c", "echo found"};
  EXPECT_EQ(run(command), "found\n");
}

TEST(Job, PassesNoDescriptorOfOursAndDefaultSignals) {
  const int leak = ::open("/dev/null", O_RDONLY);
  ::signal(SIGUSR1, SIG_IGN);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  ::sigprocmask(SIG_BLOCK, &blocked, nullptr);
  const std::string output =
      run(shell("for f in /proc/self/fd/*; do n=${f##*/}; [ $n -gt 2 ] && [ -e /proc/$$/fd/$n ] && echo fd $n; done; "
                "grep -E 'Sig(Blk|Ign)' /proc/self/status"));
  ::sigprocmask(SIG_UNBLOCK, &blocked, nullptr);
  ::signal(SIGUSR1, SIG_DFL);
  ::close(leak);
  EXPECT_EQ(output, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST(Job, RunsTheWorkerInASessionOfItsOwn) {
  Job job(shell("sleep 20"));
  EXPECT_EQ(::getsid(job.worker_process()), job.worker_process());
  EXPECT_NE(::getsid(job.worker_process()), ::getsid(0));
}

TEST(Job, WhatCannotBeStartedIsAnErrorInTheSystemsWords) {
  const TemporaryFolder folder;
  std::ofstream(folder / "script") << "#!/no/such/interpreter\n";
  std::filesystem::permissions(folder / "script", std::filesystem::perms::owner_all);
  std::ofstream(folder / "plain") << "x";
  const auto error_for = [](const std::filesystem::path& program) -> std::string {
    try {
      Command command;
      command.program = program;
      Job job(command);
    } catch (const base::Error& error) {
      EXPECT_EQ(error.code(), base::ExitCode::worker_failed);
      EXPECT_FALSE(error.next_step().empty());
      return error.what();
    }
    return "started";
  };
  EXPECT_THAT(error_for("/nowhere/worker"), HasSubstr("no such file"));
  EXPECT_THAT(error_for(folder / "script"), HasSubstr("No such file or directory"));
  EXPECT_THAT(error_for(folder / "plain"), HasSubstr("not executable"));
  EXPECT_THAT(error_for(folder.path()), HasSubstr("folder"));
  EXPECT_THAT(error_for("no-program-of-this-name"), HasSubstr("PATH"));
  Command command = shell("true");
  command.working_folder = "/nowhere";
  EXPECT_THROW(Job{command}, base::Error);
}

TEST(Job, EndingItGivesTheWorkerTimeToEndByItself) {
  Job job(shell("trap 'echo bye; exit 4' TERM; echo ready; while :; do sleep 0.02; done"));
  std::string output;
  while (output.find("ready") == std::string::npos) output += output_of(job);
  const Ending ending = job.end(5000);
  EXPECT_EQ(ending.exit_status, 4);
  EXPECT_TRUE(ending.ended_by_us);
  EXPECT_THAT(output_of(job), HasSubstr("bye"));
}

TEST(Job, AWorkerThatIgnoresTheRequestIsKilledAfterTheGrace) {
  const TemporaryFolder folder;
  Job job(family(folder));
  processes_in(folder.path(), family_size);
  const std::int64_t start_ns = base::monotonic_ns();
  const Ending ending = job.end(100);
  EXPECT_EQ(ending.signal, SIGKILL);
  EXPECT_LT(base::monotonic_ns() - start_ns, 5'000'000'000);
}

TEST(Job, EndingItLeavesNoDescendant) {
  const TemporaryFolder folder;
  Job job(family(folder));
  const std::vector<pid_t> processes = processes_in(folder.path(), family_size);
  job.end(0);
  expect_all_gone(processes, 0);
}

TEST(Job, ItsDestructorLeavesNoDescendant) {
  const TemporaryFolder folder;
  std::vector<pid_t> processes;
  {
    Job job(family(folder));
    processes = processes_in(folder.path(), family_size);
  }
  expect_all_gone(processes, 0);
}

TEST(Job, ChildrenThatOutliveTheWorkerAreEndedAndCounted) {
  const TemporaryFolder folder;
  Job job(shell("trap '' TERM; (setsid sleep 100 & echo $! > " + (folder / "a").string() + "); sleep 100 & echo $! > " +
                (folder / "b").string() + "; exit 0"));
  const Ending ending = wait_for(job);
  EXPECT_EQ(ending.exit_status, 0);
  EXPECT_THAT(ending.in_words(), HasSubstr("2 processes that it left behind were ended"));
  expect_all_gone(processes_in(folder.path(), 2), 0);
}

TEST(Job, AKilledGuardTakesTheTreeWithIt) {
  const TemporaryFolder folder;
  Job job(family(folder));
  const std::vector<pid_t> processes = processes_in(folder.path(), family_size);
  pid_t guard = 0;
  for_each_child([](pid_t process, void* context) { *static_cast<pid_t*>(context) = process; }, &guard);
  ASSERT_GT(guard, 0);
  ::kill(guard, SIGKILL);
  const Ending ending = wait_for(job);
  EXPECT_THAT(ending.in_words(), HasSubstr("guard process had been killed"));
  EXPECT_EQ(ending.signal, SIGKILL);
  expect_all_gone(processes, 0);
}

TEST(Job, AKilledControllerTakesTheTreeWithIt) {
  const TemporaryFolder folder;
  const pid_t controller = ::fork();
  if (controller == 0) {
    Job job(family(folder));
    while (true) ::pause();
  }
  const std::vector<pid_t> processes = processes_in(folder.path(), family_size);
  ::kill(controller, SIGKILL);
  ::waitpid(controller, nullptr, 0);
  expect_all_gone(processes, 20);
}

TEST(Job, LeavesTheReaperSettingAsItWas) {
  {
    Job job(shell("true"));
    wait_for(job);
  }
  int is_reaper = -1;
  ::prctl(PR_GET_CHILD_SUBREAPER, &is_reaper);
  EXPECT_EQ(is_reaper, 0);
}

TEST(Job, AFloodOfOutputDoesNotStopItFromBeingEnded) {
  Job job(shell("while :; do echo flood; done"));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(job.end(200).ended_by_us);
}

}  // namespace
}  // namespace etalon::launch
