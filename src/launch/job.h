// SPDX-License-Identifier: Apache-2.0
// Starts a worker in a process tree of its own and makes sure that nothing of the tree outlives us, however we end.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wire/socket.h"

namespace etalon::launch {

struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;                    ///< without the program's name
  std::vector<std::pair<std::string, std::string>> set;  ///< variables added to the environment
  std::vector<std::string> unset;
  std::filesystem::path working_folder;  ///< empty: ours
};

struct Ending {
  std::optional<int> exit_status;  ///< when it exited
  std::optional<int> signal;       ///< when a signal ended it
  bool ended_by_us = false;
  std::string remark;  ///< what else was found: processes left behind, a guard that was killed
  /// "exited with status 3", "killed by signal 11 (Segmentation fault)", …
  std::string in_words() const;
};

/// A running worker. Between us and it stands a guard process: it is told of our death by a closed pipe (also after kill -9),
/// adopts every descendant (child subreaper) and kills them all before it exits.
class Job {
 public:
  /// Throws base::Error(worker_failed) when the program cannot be started (missing, not executable).
  /// Must be called from the main thread: the parent-death signal follows the thread that forks.
  explicit Job(const Command& command);
  ~Job();  // ends the tree if it still runs
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Read end of the worker's standard output and standard error, non-blocking.
  int output_descriptor() const;
  /// Readable when the guard has finished, i.e. the whole tree is gone.
  int ended_descriptor() const;
  pid_t worker_process() const;

  /// Without waiting: how the worker ended, once it and its descendants are gone.
  std::optional<Ending> poll();
  /// SIGTERM to the whole tree, SIGKILL after `grace_ms`; returns when the tree is gone.
  Ending end(int grace_ms);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace etalon::launch
