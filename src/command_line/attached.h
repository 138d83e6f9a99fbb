// SPDX-License-Identifier: Apache-2.0
// Watching a detached run through its record.
#pragma once

#include <filesystem>

#include <sys/types.h>

#include "base/exit_code.h"
#include "command_line/run_record.h"
#include "command_line/text_view.h"

namespace etalon::command_line {

/// Shows a record's events to `sink` as they come, from the first on (of the progress before now only the last), until
/// the result; returns the run's exit code. `interrupt_descriptor` readable: leaves the run alone and returns
/// `interrupted`. Throws base::Error(worker_failed) when the run ended without a result.
base::ExitCode follow(const RecordedRun& run, EventSink& sink, int interrupt_descriptor);

/// For who started the run: waits until it has passed preflight or ended, says so, and how to see it again.
base::ExitCode tell_of_start(const std::filesystem::path& record, pid_t child, const TextViewSettings& settings);

/// Asks the run to end in order, as Ctrl-C would. Throws base::Error(usage) when it is not running.
void ask_to_stop(const RecordedRun& run);

}  // namespace etalon::command_line
