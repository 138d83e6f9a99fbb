// SPDX-License-Identifier: Apache-2.0
// What a worker says to the controller and the controller to a worker: one JSON object per line (docs/protocol.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"

namespace etalon::wire {

using base::Json;

inline constexpr int protocol_version = 1;
/// A longer line ends the launch: no honest event comes near it.
inline constexpr std::size_t max_line_bytes = 64 * 1024;

struct Library {
  std::string path;
  std::string sha256;
};

/// Shared libraries that the worker maps; sent after hello, in as many events as the bound on a line asks for (in_batches).
struct Libraries {
  std::vector<Library> libraries;
};

/// First event of every connection.
struct Hello {
  int protocol = protocol_version;
  std::string engine;                           ///< "native", "eager", "compile", or a stranger's own name
  std::map<std::string, std::string> versions;  ///< component → version ("pytorch" → "2.11.0+cu130")
  int rank = 0;
  int world_size = 1;
  std::int64_t process_id = 0;
  std::string device;  ///< "cpu" or "cuda:0"
  std::optional<std::string> device_uuid;
};

/// What is really in force once the model is built.
struct Config {
  std::int64_t parameters = 0;  ///< unique parameters
  std::string unit;             ///< "token", "image", "sample"
  std::int64_t units_per_step =
      0;                      ///< of this rank, accumulation included, padding excluded; 0: differs from step to step
  double flops_per_unit = 0;  ///< forward and backward, recomputation excluded
  Json details;               ///< attention, optimiser, dtypes per class of operation, data set with its hash, …
};

struct Phase {
  std::string name;  ///< "setup", "train", "eval", "finish"
  std::int64_t time_ns = 0;
};

/// One optimiser step. Times are CLOCK_MONOTONIC; on a GPU they are those at which the GPU began and ended it.
struct Step {
  std::int64_t index = 0;  ///< from 0, without gaps
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::optional<std::int64_t> gpu_ns;  ///< between CUDA events around the step
  std::int64_t units = 0;
  std::optional<double> loss;                               ///< nats per predicted unit, when it is already on the host
  std::optional<std::int64_t> data_wait_ns = std::nullopt;  ///< of the step, spent waiting for training data
};

struct Memory {
  std::int64_t time_ns = 0;
  std::optional<std::int64_t> host_resident_bytes;
  std::optional<std::int64_t> device_peak_allocated_bytes;
  std::optional<std::int64_t> device_peak_reserved_bytes;
};

/// An evaluation on held-out data; its time is excluded from the measured window.
struct Eval {
  std::string name;       ///< "held-out"
  std::int64_t step = 0;  ///< optimiser steps done before it
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t units = 0;
  double loss = 0;
};

struct Note {
  std::string level;  ///< "info" or "warning"
  std::string text;
};

/// The worker cannot go on.
struct Failure {
  std::string kind;  ///< "out of memory", "unsupported", "data", "internal"
  std::string message;
  std::string next_step;
};

/// Last event of a good run; the controller holds the counts against what it received.
struct Done {
  std::int64_t steps = 0;
  std::int64_t units = 0;
  std::string reason;  ///< "stopped" or "finished"
};

using Event = std::variant<Hello, Libraries, Config, Phase, Step, Memory, Eval, Note, Failure, Done>;

/// Controller → worker, once, after hello.
struct Order {
  Json recipe;  ///< recipe.resolved.json without origins
  int protocol = protocol_version;
};

/// Controller → worker: finish the step in hand, evaluate if the recipe wants it, send done, exit 0.
struct Stop {
  std::string reason;
};

using Command = std::variant<Order, Stop>;

/// Thrown by decode: what is wrong with the line, for the record.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A loss that is NaN or infinite: no slip of the worker's, but a training that has gone wrong.
class NotFiniteError : public ProtocolError {
 public:
  using ProtocolError::ProtocolError;
};

/// One line with its newline. Throws ProtocolError when it would exceed max_line_bytes.
/// A loss that is not finite is written as the text "nan" or "inf", which no decoder accepts: the launch ends and says why.
std::string encode(const Event& event);
std::string encode(const Command& command);

/// The same as a JSON object.
Json to_json(const Event& event);
Json to_json(const Command& command);

/// `libraries` cut so that each event fits into a line; none when there is none.
std::vector<Libraries> in_batches(std::vector<Library> libraries);

/// Strict: unknown type, missing or mistyped field, negative counts, end before start, or non-finite loss → ProtocolError.
/// Unknown extra fields are allowed (a newer worker may say more). Of a hello in another protocol version only the version is read.
Event decode_event(std::string_view line);
Command decode_command(std::string_view line);

/// The JSON object of a line, extra members included; throws ProtocolError for anything else.
Json parse_line(std::string_view line);

/// The "type" member of an event: "step", "hello", …
std::string_view type_name(const Event& event);
std::string_view type_name(const Command& command);

}  // namespace etalon::wire
