// SPDX-License-Identifier: Apache-2.0
// The guard process between the controller and a worker, and the messages on the two pipes that join it to the controller.
// Everything here runs after fork() and therefore calls only async-signal-safe functions.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace etalon::launch {

/// Controller → guard: end the tree. The guard reads the pipe's end of file (the controller is gone) as the same with guard_grace_ms.
struct EndRequest {
  std::int32_t grace_ms = 0;
};

/// Guard → controller, once at the start and once when the whole tree is gone.
struct Report {
  enum class Kind : std::int32_t { started, not_started, finished, unkillable };
  Kind kind = Kind::started;
  std::int32_t worker = 0;        ///< process id
  std::int32_t wait_status = 0;   ///< of the worker, as waitpid gives it (finished)
  std::int32_t error_number = 0;  ///< why it could not be started (not_started)
  std::int32_t leftovers = 0;     ///< descendants that outlived the worker and were ended
};

/// What the guard and the worker need, laid out before fork().
struct GuardPlan {
  const char* program = nullptr;
  char* const* arguments = nullptr;
  char* const* environment = nullptr;
  const char* working_folder = nullptr;  ///< null: the controller's
  int output_write = -1;
  int control_read = -1;
  int report_write = -1;
};

/// Time that a tree gets between SIGTERM and SIGKILL when the controller has died.
inline constexpr std::int32_t guard_grace_ms = 1000;

/// Starts the worker, waits for its end or for an order, leaves no descendant alive. Does not return.
[[noreturn]] void run_guard(const GuardPlan& plan);

/// Calls `visit(process, context)` for each child of the calling process. Async-signal-safe.
void for_each_child(void (*visit)(pid_t process, void* context), void* context);

}  // namespace etalon::launch
