// SPDX-License-Identifier: Apache-2.0
// events.jsonl read back: what the worker declared, and the evaluations whose time is taken out of the window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "dossier/dossier.h"

namespace etalon::dossier {

/// A rank number from there on is an error of whoever wrote it: no machine of ours has so many.
inline constexpr int most_ranks = 65'536;

/// What one rank said of itself.
struct RankDeclaration {
  std::optional<std::int64_t> units_per_step;  ///< of its config event; 0: they differ from step to step
  std::optional<std::int64_t> done_steps;      ///< of its done event
  std::optional<std::int64_t> done_units;
};

/// A gate opened or closed.
struct GateChange {
  std::string gate;
  bool open = false;
  std::int64_t time_ns = 0;
};

/// Memory of one rank as its worker reported it.
struct MemoryRecord {
  std::int64_t time_ns = 0;
  int rank = 0;
  std::optional<std::int64_t> host_resident_bytes;
  std::optional<std::int64_t> device_peak_allocated_bytes;
  std::optional<std::int64_t> device_peak_reserved_bytes;
};

/// Something that a worker wanted to have recorded.
struct NoteRecord {
  int rank = 0;
  std::string level;
  std::string text;
};

struct LaunchEvents {
  std::size_t count = 0;
  bool torn = false;            ///< the file ends in the middle of a line
  std::int64_t world_size = 0;  ///< of rank 0's hello; 0 when none came
  std::string unit;             ///< "token"; empty when no config came
  base::Json config;            ///< rank 0's config event, null when none came
  base::Json hello;             ///< rank 0's hello event, null when none came
  std::map<int, RankDeclaration> ranks;
  std::vector<EvalRecord> evals;
  std::optional<std::int64_t> target_step;  ///< of the controller's target_reached event
  std::vector<GateChange> gates;            ///< the first thousand; for drawing: nothing is computed from them
  std::vector<MemoryRecord> memory;         ///< the first million
  std::vector<NoteRecord> notes;            ///< the first hundred
};

/// Throws base::Error(verification_failed) naming file and line for what is no event.
LaunchEvents read_events(const std::filesystem::path& launch_folder);

}  // namespace etalon::dossier
