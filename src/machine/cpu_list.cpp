// SPDX-License-Identifier: Apache-2.0
// Parsing of the kernel's CPU lists.
#include "machine/cpu_list.h"

#include <cstdint>

#include "base/number.h"
#include "base/text.h"

namespace etalon::machine {

std::optional<std::vector<int>> parse_cpu_list(std::string_view text) {
  constexpr std::int64_t most = 65'536;
  std::vector<int> cpus;
  text = base::trim(text);
  if (text.empty()) return cpus;
  for (const std::string_view part : base::split(text, ',')) {
    const std::size_t dash = part.find('-');
    const auto first = base::parse_integer(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : base::parse_integer(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last >= most) return std::nullopt;
    for (std::int64_t cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<int>(cpu));
    if (cpus.size() > static_cast<std::size_t>(most)) return std::nullopt;
  }
  return cpus;
}

}  // namespace etalon::machine
