// SPDX-License-Identifier: Apache-2.0
// The one exception for "this worker cannot go on": becomes the protocol's error event, whose kinds the controller
// records.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace etalon::worker {

class Failure : public std::runtime_error {
 public:
  /// `kind`: "unsupported", "data", "out of memory" or "internal"; `next_step` is an instruction to a person.
  Failure(std::string kind, const std::string& message, std::string next_step)
      : std::runtime_error(message), kind_(std::move(kind)), next_step_(std::move(next_step)) {}

  const std::string& kind() const { return kind_; }
  const std::string& next_step() const { return next_step_; }

 private:
  std::string kind_;
  std::string next_step_;
};

/// A value of the recipe that this version of the worker does not serve.
inline Failure unsupported(const std::string& message, std::string next_step) {
  return {"unsupported", message, std::move(next_step)};
}

}  // namespace etalon::worker
