// SPDX-License-Identifier: Apache-2.0
#include "command_line/signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include "base/error.h"

namespace etalon::command_line {

namespace {

void raise_event(const wire::Descriptor& event) {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(event.get(), &one, sizeof one);
}

}  // namespace

Interrupts::Interrupts() {
  sigset_t watched;
  sigemptyset(&watched);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction current {};
    ::sigaction(signal, nullptr, &current);
    if (current.sa_handler != SIG_IGN)
      sigaddset(&watched, signal);  // nohup and background jobs keep what they were given
  }
  ::pthread_sigmask(SIG_BLOCK, &watched, &previous_mask_);
  signals_ = wire::Descriptor(::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
  first_ = wire::Descriptor(::eventfd(0, EFD_CLOEXEC));
  stop_ = wire::Descriptor(::eventfd(0, EFD_CLOEXEC));
  if (!signals_ || !first_ || !stop_) throw base::system_error("watch", "signals", errno);
  watcher_ = std::thread([this] { watch(); });
}

Interrupts::~Interrupts() {
  raise_event(stop_);
  watcher_.join();
  ::pthread_sigmask(SIG_SETMASK, &previous_mask_, nullptr);
}

void Interrupts::watch() {
  bool seen = false;
  while (true) {
    std::array<pollfd, 2> waiting{pollfd{signals_.get(), POLLIN, 0}, pollfd{stop_.get(), POLLIN, 0}};
    if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) return;
    if (waiting[1].revents != 0) return;
    signalfd_siginfo signal{};
    if (::read(signals_.get(), &signal, sizeof signal) != sizeof signal) continue;
    if (seen) ::_exit(static_cast<int>(base::ExitCode::interrupted));
    seen = true;
    raise_event(first_);
  }
}

}  // namespace etalon::command_line
