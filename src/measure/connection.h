// SPDX-License-Identifier: Apache-2.0
// One worker's connection: bytes to lines to events that its ledger has accepted. The first fault is kept and ends the reading.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "measure/rank_ledger.h"
#include "wire/event.h"
#include "wire/line_buffer.h"
#include "wire/socket.h"

namespace etalon::measure {

/// What a worker said that no honest worker says.
struct Fault {
  std::string what;
  std::string line;  ///< the beginning of the line, made printable; empty when it is not about one
  bool loss_not_finite = false;
};

class Connection {
 public:
  /// Called with each accepted event and the line that it came in.
  using OnEvent = std::function<void(int rank, const wire::Event& event, std::string_view line)>;

  Connection(wire::Descriptor descriptor, int world_size, std::int64_t earliest_ns);

  int descriptor() const { return descriptor_.get(); }
  const RankLedger& ledger() const { return ledger_; }
  bool closed() const { return closed_; }
  const std::optional<Fault>& fault() const { return fault_; }
  /// What the stream ended with instead of a whole line, made printable.
  const std::string& half_line() const { return half_line_; }
  std::int64_t last_event_ns() const { return last_event_ns_; }

  /// Reads what has arrived, up to a bound, so that one busy rank does not starve the others.
  void receive(const OnEvent& on_event);
  /// False when the worker does not read: commands are small, so a full buffer means that it never looked.
  bool send(const wire::Command& command);

 private:
  void take_line(std::string_view line, std::int64_t now_ns, const OnEvent& on_event);

  wire::Descriptor descriptor_;
  wire::LineBuffer lines_{wire::max_line_bytes};
  RankLedger ledger_;
  std::int64_t last_event_ns_;
  std::uint64_t other_bytes_ = 0;  // of events that are not steps
  bool closed_ = false;
  std::string half_line_;
  std::optional<Fault> fault_;
};

}  // namespace etalon::measure
