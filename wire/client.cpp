// SPDX-License-Identifier: Apache-2.0
// Sending blocks when the controller is slow rather than losing an event; reading never blocks unless asked to wait.
#include "wire/client.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "base/clock.h"
#include "base/error.h"

namespace etalon::wire {
namespace {

constexpr std::size_t large_buffer_bytes = 16 * 1024;
constexpr std::int64_t flush_interval_ns = 50'000'000;

/// write() that raises no SIGPIPE on a socket; standard output may be a file or a pipe.
ssize_t write_some(int descriptor, const std::string& text, std::size_t offset) {
  const ssize_t sent = ::send(descriptor, text.data() + offset, text.size() - offset, MSG_NOSIGNAL);
  if (sent >= 0 || errno != ENOTSOCK) return sent;
  return ::write(descriptor, text.data() + offset, text.size() - offset);
}

}  // namespace

Client Client::from_environment() {
  const char* path = std::getenv("ETALON_SOCKET");
  if (path == nullptr || *path == '\0') {
    throw base::Error(base::ExitCode::usage, "ETALON_SOCKET is not set: there is no controller to talk to",
                      "start the worker through `etalon run`");
  }
  return Client(connect_to(path));
}

Client::Client(Descriptor descriptor) : descriptor_(std::move(descriptor)), last_flush_ns_(base::monotonic_ns()) {}

bool Client::send(const Event& event) {
  output_ += encode(event);
  const bool may_wait = std::holds_alternative<Step>(event) && output_.size() < large_buffer_bytes &&
                        base::monotonic_ns() - last_flush_ns_ < flush_interval_ns;
  return may_wait ? !closed_ : flush();
}

bool Client::flush() {
  std::size_t sent = 0;
  while (!closed_ && sent < output_.size()) {
    const ssize_t count = write_some(descriptor_.get(), output_, sent);
    if (count >= 0) {
      sent += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN) {
      pollfd ready{descriptor_.get(), POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      closed_ = true;
    }
  }
  output_.clear();
  last_flush_ns_ = base::monotonic_ns();
  return !closed_;
}

std::optional<Command> Client::poll() {
  if (commands_.empty()) receive();
  if (commands_.empty()) return std::nullopt;
  Command first = std::move(commands_.front());
  commands_.erase(commands_.begin());
  return first;
}

std::optional<Command> Client::wait(int timeout_ms) {
  const std::int64_t deadline_ns = base::monotonic_ns() + std::int64_t{timeout_ms} * 1'000'000;
  while (true) {
    if (std::optional<Command> command = poll()) return command;
    if (closed_ || descriptor_.get() == STDOUT_FILENO) return std::nullopt;
    const std::int64_t left_ms = (deadline_ns - base::monotonic_ns()) / 1'000'000;
    if (timeout_ms >= 0 && left_ms <= 0) return std::nullopt;
    pollfd ready{descriptor_.get(), POLLIN, 0};
    ::poll(&ready, 1, timeout_ms < 0 ? -1 : static_cast<int>(left_ms));
  }
}

void Client::receive() {
  if (closed_ || descriptor_.get() == STDOUT_FILENO) return;
  char block[4096];
  while (true) {
    const ssize_t count = ::recv(descriptor_.get(), block, sizeof block, MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      closed_ = true;
      return;
    }
    const bool bounded = input_.feed({block, static_cast<std::size_t>(count)},
                                     [this](std::string_view line) { commands_.push_back(decode_command(line)); });
    if (!bounded) throw ProtocolError("the controller sent a line that is too long");
  }
}

}  // namespace etalon::wire
