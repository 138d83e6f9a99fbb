// SPDX-License-Identifier: Apache-2.0
// JSON as the whole project uses it: keys keep their order, numbers round-trip, input is bounded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace etalon::base {

using Json = nlohmann::ordered_json;

/// Parses one JSON text. Throws Error(usage) naming `place` and the position: malformed, deeper than `max_depth`,
/// duplicate keys in one object, or invalid UTF-8.
Json parse_json(std::string_view text, const std::string& place, std::size_t max_depth = 32);

/// One line, no trailing newline; doubles as the shortest text that reads back to the same bits; invalid UTF-8 replaced.
std::string to_line(const Json& value);

/// Indented by two, with a trailing newline: for files that people read.
std::string to_document(const Json& value);

}  // namespace etalon::base
