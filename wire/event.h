// SPDX-License-Identifier: Apache-2.0
// What a worker says to the controller and the controller to a worker: one JSON object per line (docs/protocol.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"

namespace etalon::wire {

inline constexpr int protocol_version = 1;
/// A longer line ends the launch: no honest event comes near it.
inline constexpr std::size_t max_line_bytes = 64 * 1024;

struct Library {
  std::string path;
  std::string sha256;
};

/// First event of every connection.
struct Hello {
  int protocol = protocol_version;
  std::string engine;                            ///< "native", "eager", "compile", or a stranger's own name
  std::map<std::string, std::string> versions;   ///< component → version ("pytorch" → "2.11.0+cu130")
  std::vector<Library> libraries;                ///< every shared library the worker maps; may be sent in several Notes' stead in `config`
  int rank = 0;
  int world_size = 1;
  std::int64_t process_id = 0;
  std::string device;                            ///< "cpu" or "cuda:0"
  std::optional<std::string> device_uuid;
};

/// What is really in force once the model is built.
struct Config {
  std::int64_t parameters = 0;                   ///< unique parameters
  std::string unit;                              ///< "token", "image", "sample"
  std::int64_t units_per_step = 0;               ///< of this rank, accumulation included, padding excluded
  double flops_per_unit = 0;                     ///< forward and backward, recomputation excluded
  Json details;                                  ///< attention, optimiser, dtypes per class of operation, data set with its hash, …
};

struct Phase {
  std::string name;                              ///< "setup", "train", "eval", "finish"
  std::int64_t time_ns = 0;
};

/// One optimiser step. Times are CLOCK_MONOTONIC; on a GPU they are those at which the GPU began and ended it.
struct Step {
  std::int64_t index = 0;                        ///< from 0, without gaps
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::optional<std::int64_t> gpu_ns;            ///< between CUDA events around the step
  std::int64_t units = 0;
  std::optional<double> loss;                    ///< nats per predicted unit, when it is already on the host
};

struct Memory {
  std::int64_t time_ns = 0;
  std::optional<std::int64_t> host_resident_bytes;
  std::optional<std::int64_t> device_peak_allocated_bytes;
  std::optional<std::int64_t> device_peak_reserved_bytes;
};

/// An evaluation on held-out data; its time is excluded from the measured window.
struct Eval {
  std::string name;                              ///< "held-out"
  std::int64_t step = 0;                         ///< optimiser steps done before it
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t units = 0;
  double loss = 0;
};

struct Note {
  std::string level;                             ///< "info" or "warning"
  std::string text;
};

/// The worker cannot go on.
struct Failure {
  std::string kind;                              ///< "out of memory", "unsupported", "data", "internal"
  std::string message;
  std::string next_step;
};

/// Last event of a good run; the controller holds the counts against what it received.
struct Done {
  std::int64_t steps = 0;
  std::int64_t units = 0;
  std::string reason;                            ///< "stopped" or "finished"
};

using Event = std::variant<Hello, Config, Phase, Step, Memory, Eval, Note, Failure, Done>;

/// Controller → worker, once, after hello.
struct Order {
  Json recipe;                                   ///< recipe.resolved.json without origins
  int protocol = protocol_version;
};

/// Controller → worker: finish the step in hand, evaluate if the recipe wants it, send done, exit 0.
struct Stop {
  std::string reason;
};

using Command = std::variant<Order, Stop>;

/// One line with its newline.
std::string encode(const Event& event);
std::string encode(const Command& command);

/// Thrown by decode: what is wrong with the line, for the record.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Strict: unknown type, missing or mistyped field, negative counts, end before start, or non-finite loss → ProtocolError.
/// Unknown extra fields are allowed (a newer worker may say more).
Event decode_event(std::string_view line);
Command decode_command(std::string_view line);

/// The "type" member of an event: "step", "hello", …
std::string_view type_name(const Event& event);

}  // namespace etalon::wire
