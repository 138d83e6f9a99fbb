// SPDX-License-Identifier: Apache-2.0
// Ctrl-C once: finish in order. Ctrl-C twice: leave at once; the guard process ends whatever we had started.
#pragma once

#include <csignal>
#include <thread>

#include "wire/socket.h"

namespace etalon::command_line {

/// While it lives, SIGINT, SIGTERM and SIGHUP do not end the process: the first makes descriptor() readable,
/// a second ends the process with exit code 130. Make it before any other thread exists.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  int descriptor() const { return first_.get(); }

 private:
  void watch();
  sigset_t previous_mask_{};
  wire::Descriptor signals_;
  wire::Descriptor first_;
  wire::Descriptor stop_;
  std::thread watcher_;
};

}  // namespace etalon::command_line
