// SPDX-License-Identifier: Apache-2.0
// Runs that go on without a terminal: each keeps its events in a folder of this user, where `etalon attach` finds them.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/file.h"
#include "command_line/display.h"
#include "wire/socket.h"

namespace etalon::command_line {

/// $XDG_STATE_HOME/etalon/runs, else ~/.local/state/etalon/runs. Throws base::Error(usage) when neither is set.
std::filesystem::path run_records_folder();

/// What a detached run writes. Progress is kept once a second: enough to watch, and a day stays below 100 MB.
class RunRecord : public EventSink {
 public:
  /// Makes a fresh folder of this name (with a number behind it when there is one already) and holds its lock; old records
  /// beyond the newest twenty are removed. Throws base::Error where the folder cannot be written.
  RunRecord(const std::filesystem::path& parent, const std::string& name);
  void take(const base::Json& event) override;

  const std::filesystem::path& folder() const { return folder_; }
  /// The running process takes it over: its number is what `attach --stop` signals.
  void belongs_to(pid_t process);

 private:
  std::filesystem::path folder_;
  wire::Descriptor lock_;
  base::AppendFile events_;
  double next_progress_seconds_ = 0;
};

struct RecordedRun {
  std::string name;
  std::filesystem::path folder;
  bool running = false;  ///< its process holds the lock
  std::optional<pid_t> process;
};

/// Newest first.
std::vector<RecordedRun> recorded_runs(const std::filesystem::path& parent);

/// By name; an empty name means the newest that is running, else the newest. Throws base::Error(usage) naming what there is.
RecordedRun find_run(const std::filesystem::path& parent, const std::string& name);

/// Whether it runs at this moment.
bool recorded_as_running(const RecordedRun& run);

/// Reads a record's events as they are appended.
class RecordReader {
 public:
  explicit RecordReader(std::filesystem::path file) : file_(std::move(file)) {}
  /// Whole events since the last call; a line that is none is skipped.
  std::vector<base::Json> take();

 private:
  std::filesystem::path file_;
  std::uint64_t offset_ = 0;
  std::string half_line_;
};

inline constexpr const char* record_events = "events.jsonl";
inline constexpr const char* record_output = "output.log";  ///< what the run printed besides: error messages

}  // namespace etalon::command_line
