// SPDX-License-Identifier: Apache-2.0
#include "command_line/detached.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>

#include "base/error.h"
#include "wire/socket.h"

namespace etalon::command_line {

pid_t continue_detached(const std::filesystem::path& output) {
  const wire::Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const wire::Descriptor log(::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!nothing || !log) throw base::system_error("open", output.string(), errno);
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);  // or the child would print what waits in the buffers a second time
  const pid_t child = ::fork();
  if (child < 0) throw base::system_error("start", "a process", errno);
  if (child > 0) return child;
  ::setsid();
  std::signal(SIGHUP, SIG_IGN);
  ::dup2(nothing.get(), STDIN_FILENO);
  ::dup2(log.get(), STDOUT_FILENO);
  ::dup2(log.get(), STDERR_FILENO);
  return 0;
}

}  // namespace etalon::command_line
