// SPDX-License-Identifier: Apache-2.0
// Lines of /proc/meminfo.
#include "machine/meminfo.h"

#include <limits>

#include "base/number.h"
#include "base/text.h"
#include "machine/system_file.h"

namespace etalon::machine {

std::optional<std::int64_t> meminfo_bytes(std::string_view text, std::string_view key) {
  const auto value = value_of_key(text, key, ':');
  if (!value || !value->ends_with(" kB")) return std::nullopt;
  const auto kibibytes = base::parse_integer(base::trim(std::string_view(*value).substr(0, value->size() - 3)));
  if (!kibibytes || *kibibytes < 0 || *kibibytes > std::numeric_limits<std::int64_t>::max() / 1024) return std::nullopt;
  return *kibibytes * 1024;
}

}  // namespace etalon::machine
