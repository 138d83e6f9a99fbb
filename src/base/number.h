// SPDX-License-Identifier: Apache-2.0
// Numbers to text and back without the locale: what is written in one country is read in another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etalon::base {

/// The whole text as a number, or nothing (empty, trailing characters, out of range).
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<double> parse_double(std::string_view text);

/// The shortest text that reads back to the same bits ("nan", "inf" and "-inf" included).
std::string to_text(double value);

/// For people: `significant` digits, groups of three separated by commas from 1,000 on ("12,345", "0.0312").
std::string to_human(double value, int significant = 4);

}  // namespace etalon::base
