// SPDX-License-Identifier: Apache-2.0
// The guard's whole life: close what it inherited, start the worker, wait, end the tree, report. No allocation, no locks.
#include "launch/guard.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

namespace etalon::launch {
namespace {

/// How long descendants that outlive the worker may take to end by themselves after SIGTERM.
constexpr std::int64_t leftover_grace_ms = 200;
/// A process that survives SIGKILL this long hangs in the kernel; nothing more can be done about it.
constexpr std::int64_t kill_patience_ms = 10'000;

std::int64_t now_ms() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

void close_range_of(unsigned first, unsigned last) {
  if (first > last) return;
  if (::syscall(SYS_close_range, first, last, 0) == 0) return;
  for (unsigned descriptor = first; descriptor <= std::min(last, 65'535U); ++descriptor)
    ::close(static_cast<int>(descriptor));
}

void close_all_but(int* kept, int count) {
  std::sort(kept, kept + count);
  unsigned next = 3;
  for (int index = 0; index < count; ++index) {
    const auto descriptor = static_cast<unsigned>(kept[index]);
    if (descriptor > next) close_range_of(next, descriptor - 1);
    next = std::max(next, descriptor + 1);
  }
  close_range_of(next, ~0U);
}

void point_standard_streams_to(int input, int output) {
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
}

void restore_default_signals() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &action, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// In the worker, between fork and exec. Its own session: a closed terminal or Ctrl-C reaches it only through us.
[[noreturn]] void become_worker(const GuardPlan& plan, pid_t guard, int null, int error_write) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != guard) ::_exit(127);
  ::setsid();
  point_standard_streams_to(null, plan.output_write);
  restore_default_signals();
  if (plan.working_folder == nullptr || ::chdir(plan.working_folder) == 0) {
    ::execve(plan.program, plan.arguments, plan.environment);
  }
  const std::int32_t error_number = errno;
  [[maybe_unused]] const ssize_t written = ::write(error_write, &error_number, sizeof error_number);
  ::_exit(127);
}

class Guard {
 public:
  explicit Guard(const GuardPlan& plan) : plan_(plan) {}

  [[noreturn]] void run() {
    isolate();
    start_worker();
    while (!worker_ended_ && !stuck_) wait_for_something();
    end_descendants();
    const bool all_gone = !stuck_ && no_child_left_;
    send(Report{all_gone ? Report::Kind::finished : Report::Kind::unkillable, worker_, wait_status_, 0, leftovers_});
    ::_exit(0);
  }

 private:
  void isolate() {
    ::setsid();
    ::prctl(PR_SET_NAME, "etalon-guard");
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::prctl(PR_SET_PDEATHSIG, 0);
    null_ = ::fcntl(::open("/dev/null", O_RDWR | O_CLOEXEC), F_DUPFD_CLOEXEC, 3);
    point_standard_streams_to(null_, null_);
    int kept[] = {plan_.output_write, plan_.control_read, plan_.report_write, null_};
    close_all_but(kept, 4);
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);
    sigset_t awaited;
    ::sigemptyset(&awaited);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT}) ::sigaddset(&awaited, signal);
    signals_ = ::signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK);
  }

  void start_worker() {
    int failure[2];
    const pid_t guard = ::getpid();
    if (::pipe2(failure, O_CLOEXEC) != 0) give_up(errno);
    worker_ = ::fork();
    if (worker_ < 0) give_up(errno);
    if (worker_ == 0) become_worker(plan_, guard, null_, failure[1]);
    ::close(failure[1]);
    ::close(plan_.output_write);
    std::int32_t error_number = 0;
    ssize_t size = 0;
    do size = ::read(failure[0], &error_number, sizeof error_number);
    while (size < 0 && errno == EINTR);
    ::close(failure[0]);
    if (size > 0) give_up(error_number);
    send(Report{Report::Kind::started, worker_, 0, 0, 0});
  }

  [[noreturn]] void give_up(int error_number) {
    send(Report{Report::Kind::not_started, worker_, 0, error_number, 0});
    ::_exit(0);
  }

  void wait_for_something() {
    pollfd watched[] = {{signals_, POLLIN, 0}, {control_open_ ? plan_.control_read : -1, POLLIN, 0}};
    const std::int64_t left_ms = kill_at_ms_ < 0 ? -1 : std::max<std::int64_t>(0, kill_at_ms_ - now_ms());
    ::poll(watched, 2, static_cast<int>(left_ms));
    if (watched[0].revents != 0) take_signals();
    if (watched[1].revents != 0) take_request();
    if (kill_at_ms_ >= 0 && now_ms() >= kill_at_ms_) {
      kill_tree(SIGKILL);
      kill_at_ms_ = now_ms() + 100;
      stuck_ = now_ms() > give_up_at_ms_;
    }
    reap();
  }

  void take_signals() {
    signalfd_siginfo signal{};
    while (::read(signals_, &signal, sizeof signal) == static_cast<ssize_t>(sizeof signal)) {
      if (signal.ssi_signo != SIGCHLD) begin_ending(guard_grace_ms);
    }
  }

  void take_request() {
    EndRequest request;
    const ssize_t size = ::read(plan_.control_read, &request, sizeof request);
    if (size == static_cast<ssize_t>(sizeof request)) {
      begin_ending(request.grace_ms);
    } else if (size >= 0 || errno != EINTR) {
      control_open_ = false;
      begin_ending(guard_grace_ms);
    }
  }

  /// SIGTERM now, SIGKILL when the grace is over; a second request may only shorten it.
  void begin_ending(std::int32_t grace_ms) {
    const std::int64_t kill_at_ms = now_ms() + grace_ms;
    if (kill_at_ms_ < 0) {
      if (grace_ms > 0) kill_tree(SIGTERM);
      kill_at_ms_ = kill_at_ms;
    }
    kill_at_ms_ = std::min(kill_at_ms_, kill_at_ms);
    give_up_at_ms_ = kill_at_ms_ + kill_patience_ms;
  }

  /// The group at once (nothing can fork in between), then those that left it. A child is left, so the group's number is not reused.
  void kill_tree(int signal) {
    ::kill(-worker_, signal);
    for_each_child([](pid_t process, void* context) { ::kill(process, *static_cast<int*>(context)); }, &signal);
  }

  void reap() {
    int status = 0;
    pid_t process = 0;
    while ((process = ::waitpid(-1, &status, WNOHANG)) > 0) {
      if (process == worker_) {
        worker_ended_ = true;
        wait_status_ = status;
      } else if (worker_ended_) {
        ++leftovers_;
      }
    }
    no_child_left_ = process < 0 && errno == ECHILD;
  }

  /// Whatever the worker leaves behind has become our child or becomes it as its own parents die.
  void end_descendants() {
    const std::int64_t start_ms = now_ms();
    const std::int64_t grace_ms = kill_at_ms_ < 0 ? leftover_grace_ms : 0;
    bool asked = grace_ms == 0;
    for (reap(); !stuck_ && !no_child_left_ && now_ms() - start_ms < grace_ms + kill_patience_ms; reap()) {
      const bool patience_over = now_ms() - start_ms >= grace_ms;
      if (!asked || patience_over) kill_tree(patience_over ? SIGKILL : SIGTERM);
      asked = true;
      pollfd watched{signals_, POLLIN, 0};
      ::poll(&watched, 1, 10);
      signalfd_siginfo signal{};
      while (::read(signals_, &signal, sizeof signal) > 0) {
      }
    }
  }

  void send(const Report& report) {
    while (::write(plan_.report_write, &report, sizeof report) < 0 && errno == EINTR) {
    }
  }

  const GuardPlan& plan_;
  int null_ = -1;
  int signals_ = -1;
  pid_t worker_ = 0;
  bool control_open_ = true;
  bool worker_ended_ = false;
  bool no_child_left_ = false;
  bool stuck_ = false;
  std::int32_t wait_status_ = 0;
  std::int32_t leftovers_ = 0;
  std::int64_t kill_at_ms_ = -1;
  std::int64_t give_up_at_ms_ = 0;
};

}  // namespace

void run_guard(const GuardPlan& plan) { Guard(plan).run(); }

}  // namespace etalon::launch
