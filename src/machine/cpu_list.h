// SPDX-License-Identifier: Apache-2.0
// The kernel's lists of CPUs: "0-3,8,10-11".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace etalon::machine {

/// The CPUs named, ascending as written; nothing when the text is no such list (or names more than 65,536).
std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

}  // namespace etalon::machine
