// SPDX-License-Identifier: Apache-2.0
// What parsing shares between recipes and the user's configuration. Internal to this folder.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "recipe/resolve.h"
#include "recipe/toml_file.h"

namespace etalon::recipe {

/// Where a message may point: the origin's place, else its kind.
std::string place_of(const Origin& origin);

/// Checks every entry against the table of keys; throws Error(usage) for the first that does not fit.
std::map<std::string, WrittenValue> written_values(const std::vector<Entry>& entries, const std::string& place,
                                                   const std::string& kind);

}  // namespace etalon::recipe
