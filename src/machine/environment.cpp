// SPDX-License-Identifier: Apache-2.0
// Reading of /proc/self/environ.
#include "machine/environment.h"

#include <algorithm>

#include "base/text.h"
#include "machine/system_file.h"

namespace etalon::machine {

std::vector<std::pair<std::string, std::string>> environment(const std::filesystem::path& root) {
  std::vector<std::pair<std::string, std::string>> variables;
  const SystemText read = read_system_file(root, "/proc/self/environ", std::size_t{4} << 20);
  for (const std::string_view entry : base::split(read.text, '\0')) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    variables.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  std::sort(variables.begin(), variables.end());
  return variables;
}

std::optional<std::string> environment_variable(const std::filesystem::path& root, std::string_view name) {
  for (auto& [found, value] : environment(root)) {
    if (found == name) return value;
  }
  return std::nullopt;
}

}  // namespace etalon::machine
