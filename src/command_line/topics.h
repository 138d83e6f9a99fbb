// SPDX-License-Identifier: Apache-2.0
// What `etalon help TOPIC` prints: the files of docs/help, compiled in.
#pragma once

#include <string>
#include <vector>

namespace etalon::command_line {

struct Topic {
  std::string name;  ///< "verdicts"
  std::string text;  ///< its first line is "# " and the title
};

/// By name.
const std::vector<Topic>& topics();

}  // namespace etalon::command_line
