// SPDX-License-Identifier: Apache-2.0
// The controller's side of a job: lays everything out before fork(), talks to the guard, and takes its place if it is killed.
#include "launch/job.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "launch/guard.h"
#include "launch/program.h"

namespace etalon::launch {
namespace {

using wire::Descriptor;

constexpr int start_patience_ms = 60'000;
constexpr int guard_patience_ms = 12'000;  // a little more than the guard's own with its children
constexpr int dead_guard_patience_ms = 5'000;

struct Pipe {
  Descriptor read;
  Descriptor write;
};

/// Both ends above the standard streams, even when the controller was started without them.
Pipe lifted(const int (&ends)[2]) {
  const Pipe low{Descriptor(ends[0]), Descriptor(ends[1])};
  Pipe pipe{Descriptor(::fcntl(ends[0], F_DUPFD_CLOEXEC, 3)), Descriptor(::fcntl(ends[1], F_DUPFD_CLOEXEC, 3))};
  if (!pipe.read || !pipe.write)
    throw base::system_error("make", "a pipe for the worker", errno, base::ExitCode::worker_failed);
  return pipe;
}

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw base::system_error("make", "a pipe for the worker", errno, base::ExitCode::worker_failed);
  return lifted(ends);
}

/// A socket, because writing to one whose reader is gone can be done without SIGPIPE.
Pipe make_control() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw base::system_error("make", "a socket for the guard process", errno, base::ExitCode::worker_failed);
  return lifted(ends);
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<pid_t> children() {
  std::vector<pid_t> found;
  for_each_child([](pid_t process, void* context) { static_cast<std::vector<pid_t>*>(context)->push_back(process); },
                 &found);
  return found;
}

Ending ending_of(int wait_status) {
  Ending ending;
  if (WIFEXITED(wait_status)) ending.exit_status = WEXITSTATUS(wait_status);
  if (WIFSIGNALED(wait_status)) ending.signal = WTERMSIG(wait_status);
  return ending;
}

/// During a job whatever loses its parent falls to us, in case the guard itself is killed.
class Subreaper {
 public:
  Subreaper() {
    ::prctl(PR_GET_CHILD_SUBREAPER, &before_);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  }
  ~Subreaper() { ::prctl(PR_SET_CHILD_SUBREAPER, before_); }
  Subreaper(const Subreaper&) = delete;
  Subreaper& operator=(const Subreaper&) = delete;

 private:
  int before_ = 0;
};

}  // namespace

struct Job::State {
  Subreaper subreaper;
  std::vector<pid_t> other_children = children();
  Descriptor output;
  Descriptor control;
  Descriptor report;
  pid_t guard = 0;
  pid_t worker = 0;
  bool asked_to_end = false;
  std::optional<Ending> ending;

  void start(const Command& command);
  void wait_for_start(const Command& command);
  void finish(const Report& report_of_guard);
  void finish_without_guard();
  bool end_own_children(std::optional<int>& worker_status);
  void request_end(int grace_ms);
};

void Job::State::start(const Command& command) {
  const std::string program = find_program(command.program).native();
  std::vector<std::string> arguments = command.arguments;
  arguments.insert(arguments.begin(), command.program.native());
  std::vector<std::string> environment = environment_of(command);
  const std::vector<char*> argument_pointers = pointers_to(arguments);
  const std::vector<char*> environment_pointers = pointers_to(environment);
  Pipe output_pipe = make_pipe();
  Pipe control_pipe = make_control();
  Pipe report_pipe = make_pipe();
  GuardPlan plan;
  plan.program = program.c_str();
  plan.arguments = argument_pointers.data();
  plan.environment = environment_pointers.data();
  plan.working_folder = command.working_folder.empty() ? nullptr : command.working_folder.c_str();
  plan.output_write = output_pipe.write.get();
  plan.control_read = control_pipe.read.get();
  plan.report_write = report_pipe.write.get();
  guard = ::fork();
  if (guard < 0) throw base::system_error("start", "the guard process", errno, base::ExitCode::worker_failed);
  if (guard == 0) run_guard(plan);
  output = std::move(output_pipe.read);
  control = std::move(control_pipe.write);
  report = std::move(report_pipe.read);
  ::fcntl(output.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(report.get(), F_SETFL, O_NONBLOCK);
}

void Job::State::wait_for_start(const Command& command) {
  pollfd watched{report.get(), POLLIN, 0};
  while (::poll(&watched, 1, start_patience_ms) < 0 && errno == EINTR) {
  }
  Report first{};
  const ssize_t size = ::read(report.get(), &first, sizeof first);
  if (size == static_cast<ssize_t>(sizeof first) && first.kind == Report::Kind::started) {
    worker = first.worker;
    return;
  }
  const bool told_why = size == static_cast<ssize_t>(sizeof first);
  if (!told_why) ::kill(guard, SIGKILL);
  ::waitpid(guard, nullptr, 0);
  const std::string why = told_why ? std::strerror(first.error_number) : "it did not begin to run within a minute";
  throw base::Error(base::ExitCode::worker_failed, fmt::format("cannot start {}: {}", command.program.string(), why),
                    "check that the file exists, may be executed, and that its interpreter (first line) exists");
}

void Job::State::request_end(int grace_ms) {
  asked_to_end = true;
  const EndRequest request{grace_ms};
  [[maybe_unused]] const ssize_t sent = ::send(control.get(), &request, sizeof request, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Job::State::finish(const Report& report_of_guard) {
  ::waitpid(guard, nullptr, 0);
  Ending how;
  if (report_of_guard.kind == Report::Kind::finished) how = ending_of(report_of_guard.wait_status);
  if (report_of_guard.kind == Report::Kind::unkillable) {
    how.remark = "a process of the worker did not end even when killed: it hangs in the kernel (driver or file system)";
  } else if (report_of_guard.leftovers > 0) {
    how.remark =
        fmt::format("{} process{} that it left behind {} ended", report_of_guard.leftovers,
                    report_of_guard.leftovers == 1 ? "" : "es", report_of_guard.leftovers == 1 ? "was" : "were");
  }
  how.ended_by_us = asked_to_end;
  ending = how;
}

/// Kills and reaps what has become our child since the job began; true when nothing of it is left.
bool Job::State::end_own_children(std::optional<int>& worker_status) {
  bool all_gone = true;
  for (const pid_t process : children()) {
    if (std::find(other_children.begin(), other_children.end(), process) != other_children.end()) continue;
    int status = 0;
    ::kill(process, SIGKILL);
    const bool reaped = ::waitpid(process, &status, WNOHANG) == process;
    if (reaped && process == worker) worker_status = status;
    all_gone = false;
  }
  return all_gone;
}

void Job::State::finish_without_guard() {
  ::waitpid(guard, nullptr, 0);
  std::optional<int> worker_status;
  const std::int64_t start_ns = base::monotonic_ns();
  bool all_gone = false;
  while (!all_gone && base::monotonic_ns() - start_ns < std::int64_t{dead_guard_patience_ms} * 1'000'000) {
    all_gone = end_own_children(worker_status);
    if (!all_gone) ::poll(nullptr, 0, 5);
  }
  Ending how;
  if (worker_status) how = ending_of(*worker_status);
  how.ended_by_us = asked_to_end;
  how.remark = all_gone ? "its guard process had been killed"
                        : "its guard process had been killed, and not every process of it could be ended";
  ending = how;
}

Job::Job(const Command& command) : state_(std::make_unique<State>()) {
  state_->start(command);
  state_->wait_for_start(command);
}

Job::~Job() {
  if (!state_->ending) end(0);
}

int Job::output_descriptor() const { return state_->output.get(); }

int Job::ended_descriptor() const { return state_->report.get(); }

pid_t Job::worker_process() const { return state_->worker; }

std::optional<Ending> Job::poll() {
  if (state_->ending) return state_->ending;
  Report report{};
  const ssize_t size = ::read(state_->report.get(), &report, sizeof report);
  if (size == static_cast<ssize_t>(sizeof report)) {
    state_->finish(report);
  } else if (size == 0) {
    state_->finish_without_guard();
  }
  return state_->ending;
}

Ending Job::end(int grace_ms) {
  if (!poll()) state_->request_end(grace_ms);
  const std::int64_t start_ns = base::monotonic_ns();
  while (!poll()) {
    const std::int64_t waited_ms = (base::monotonic_ns() - start_ns) / 1'000'000;
    if (waited_ms > grace_ms + guard_patience_ms) ::kill(state_->guard, SIGKILL);
    pollfd watched{state_->report.get(), POLLIN, 0};
    ::poll(&watched, 1, 100);
  }
  return *state_->ending;
}

std::string Ending::in_words() const {
  std::string words = "ended in a way that nobody saw";
  if (exit_status) words = fmt::format("exited with status {}", *exit_status);
  if (signal) {
    const char* name = ::sigdescr_np(*signal);
    words = fmt::format("killed by signal {} ({})", *signal, name == nullptr ? "unknown" : name);
  }
  if (ended_by_us) words += " when étalon ended it";
  if (!remark.empty()) words += "; " + remark;
  return words;
}

}  // namespace etalon::launch
