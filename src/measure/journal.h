// SPDX-License-Identifier: Apache-2.0
// The controller's own events in the record: what it saw and decided, and when.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "measure/clock_watch.h"
#include "measure/recording.h"

namespace etalon::measure {

class Journal {
 public:
  explicit Journal(Recorder& recorder);

  /// An event of the controller; `members` is an object.
  void say(std::string_view type, const base::Json& members = base::Json::object());
  /// Gates whose state changed, and all of them every few seconds.
  void gates(const std::vector<GateState>& states, std::int64_t now_ns);
  /// Says so when the wall clock was stepped.
  void check_clock();

 private:
  Recorder& recorder_;
  ClockWatch clock_;
  std::vector<GateState> last_states_;
  std::int64_t last_gates_ns_ = 0;
};

}  // namespace etalon::measure
