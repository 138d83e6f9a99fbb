// SPDX-License-Identifier: Apache-2.0
// A worker's end of the protocol: send events, look for commands. Used by the native worker and the fake one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "wire/event.h"
#include "wire/line_buffer.h"
#include "wire/socket.h"

namespace etalon::wire {

class Client {
 public:
  /// Connects to the socket named by ETALON_SOCKET; throws base::Error(usage) when unset or unreachable.
  static Client from_environment();
  /// Writes events to `descriptor` and reads commands from it; with `descriptor` = 1 events go to standard output and no command comes.
  explicit Client(Descriptor descriptor);

  /// Buffered; flushed when the buffer is large, when the last flush is older than 50 ms, and for every event but Step.
  /// Returns false once the controller is gone: the worker then ends.
  bool send(const Event& event);
  bool flush();

  /// The next command that has arrived, without waiting.
  std::optional<Command> poll();
  /// Waits up to `timeout_ms` (-1: for ever).
  std::optional<Command> wait(int timeout_ms);
  int descriptor() const { return descriptor_.get(); }
  /// The controller closed the connection.
  bool closed() const { return closed_; }

 private:
  void receive();
  Descriptor descriptor_;
  std::string output_;
  std::int64_t last_flush_ns_ = 0;
  LineBuffer input_{max_line_bytes};
  std::vector<Command> commands_;
  bool closed_ = false;
};

}  // namespace etalon::wire
