// SPDX-License-Identifier: Apache-2.0
// What a launch leaves behind, and the sink that keeps it while it happens (implemented by the dossier).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "wire/event.h"

namespace etalon::measure {

/// One telemetry column; sources describe their own.
struct Channel {
  std::string name;  ///< column name, unit last: "cpu_use_percent", "memory_used_bytes"
  std::string unit;
  std::string meaning;
  std::string source;     ///< "proc_stat"
  std::string state;      ///< "value", "not supported", "not permitted", "unknown"; only "value" has a column
  std::string reason;     ///< when there is no column
  std::string live = {};  ///< its label for somebody watching; empty: only recorded
};

/// Receives everything while it happens. Called from the measuring thread only. A throw (disk full) ends the launch.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// A step of one rank, in the order received.
  virtual void step(int rank, const wire::Step& step) = 0;
  /// Any other event: the worker's own (`from` = "worker") or the controller's ("controller"), as one JSON object
  /// to which received_ns, from and rank are added.
  virtual void event(std::string_view from, int rank, const base::Json& event) = 0;
  /// One telemetry row: time and one cell per channel with state "value"; an empty optional is an empty cell.
  virtual void telemetry(std::int64_t time_ns, const std::vector<std::optional<double>>& cells) = 0;
  /// Bytes of the worker's output.
  virtual void log(std::string_view bytes) = 0;
  /// Hands everything to the kernel (called about five times a second) or to the disk.
  virtual void flush(bool to_disk) = 0;
};

/// The state of a gate when it was last looked at; a history of these shows when and why it opened.
struct GateState {
  std::string gate;  ///< "warm-up", "precision", "drift", "window"
  bool open = false;
  double value = 0;  ///< what was found
  double threshold = 0;
  std::string unit;
  std::string reason;  ///< in words: "interval ±0.8 % of 1 % allowed"
};

/// Steps [first_step, last_step] of every rank were measured, from the end of the step before the first.
struct Window {
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
};

enum class Verdict { steady, drifting, no_steady_state, throttled, ungated, interrupted, refused, failed, invalid };
std::string_view to_text(Verdict verdict);
Verdict verdict_from_text(std::string_view text);  // throws base::Error(verification_failed)

/// How one launch went.
struct LaunchOutcome {
  Verdict verdict = Verdict::failed;
  std::string reason;             ///< one sentence
  std::string next_step;          ///< for failures
  std::optional<Window> window;   ///< absent when the launch never reached it
  std::vector<GateState> gates;   ///< last state of each
  std::vector<Channel> channels;  ///< of telemetry.csv
  std::string ending;             ///< of the worker, in words
  std::int64_t steps = 0;         ///< recorded, rank 0
};

}  // namespace etalon::measure
