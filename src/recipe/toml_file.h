// SPDX-License-Identifier: Apache-2.0
// TOML read into a flat list of what stands where: recipes, the user's configuration and --set all come through here.
// Internal to this folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace etalon::recipe {

/// One entry of a TOML text, tables included.
struct Entry {
  std::string name;  ///< dotted; a part that is no bare key stands in quotes
  bool table = false;
  base::Json value;  ///< null for what JSON lacks (dates, times)
  std::size_t line = 0;
};

inline constexpr std::size_t largest_toml_bytes = std::size_t{1} << 20;

/// All entries in the order of their lines. Throws Error(usage) naming place, line and column when it is not TOML, longer
/// than 1 MiB, or nested absurdly deep.
std::vector<Entry> read_toml(std::string_view text, const std::string& place);

}  // namespace etalon::recipe
