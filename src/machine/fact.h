// SPDX-License-Identifier: Apache-2.0
// A captured fact in one of its states. Missing is never zero: a value, or why there is none.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace etalon::machine {

enum class FactState { value, not_supported, not_permitted, unknown };

/// "value", "not supported", "not permitted", "unknown": as in every file.
std::string_view to_text(FactState state);
/// What a failed read means: absent things are not supported, forbidden ones not permitted, the rest is unknown.
FactState state_of_errno(int error_number);
/// "Permission denied (errno 13)": the same words in every locale.
std::string words_of_errno(int error_number);

struct Fact {
  std::string name;     ///< "cpu.model"
  std::string meaning;  ///< one phrase for people
  std::string origin;   ///< where it was read: "/proc/cpuinfo", "nvmlDeviceGetName", …
  FactState state = FactState::unknown;
  base::Json value;    ///< when state is value
  std::string unit;    ///< "bytes", "MHz", "" when none
  std::string reason;  ///< otherwise: code returned, or the reason in words

  static Fact known(std::string name, std::string meaning, std::string origin, base::Json value, std::string unit = {});
  static Fact missing(std::string name, std::string meaning, std::string origin, FactState state, std::string reason);
  /// Missing because reading its origin failed with `error_number`.
  static Fact unreadable(std::string name, std::string meaning, std::string origin, int error_number);
};

base::Json to_json(const Fact& fact);

}  // namespace etalon::machine
