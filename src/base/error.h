// SPDX-License-Identifier: Apache-2.0
// The one exception for "cannot continue": what happened, where, and what to do next. main() alone prints it.
#pragma once

#include <stdexcept>
#include <string>

#include "base/exit_code.h"

namespace etalon::base {

class Error : public std::runtime_error {
 public:
  /// `what_happened` names the thing and the place; `next_step` is an instruction, empty only when there is none.
  Error(ExitCode code, const std::string& what_happened, std::string next_step = {});

  ExitCode code() const { return code_; }
  const std::string& next_step() const { return next_step_; }

 private:
  ExitCode code_;
  std::string next_step_;
};

/// An Error from errno: "cannot <action> <path>: <system's words>", with a next step for the common causes
/// (no space, no permission, read-only file system, too many open files).
Error system_error(const std::string& action, const std::string& path, int error_number,
                   ExitCode code = ExitCode::internal);

}  // namespace etalon::base
