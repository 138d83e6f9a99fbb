// SPDX-License-Identifier: Apache-2.0
// Small things done to words: nearest name for a mistyped one, columns, escaping of what comes from outside.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etalon::base {

/// The candidate with the smallest edit distance to `word`, or "" when none is near enough to be meant.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// True for a byte of UTF-8 that is not the first of its character.
constexpr bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
std::string join(std::span<const std::string> parts, std::string_view separator);
/// The same of those that are not empty.
std::string join_filled(const std::vector<std::string>& parts, std::string_view separator);

/// Control characters and escape sequences made visible, so that a worker's text cannot steer a terminal;
/// at most `max_bytes`, cut at a character with "…".
std::string printable(std::string_view text, std::size_t max_bytes = 4096);

/// Columns padded to their widest cell (in code points), two spaces between, one line per row; no trailing blanks.
std::string columns(const std::vector<std::vector<std::string>>& rows, std::string_view indent = "  ");

/// Lines of at most `width` characters, broken at blanks; a longer word stands alone.
std::string wrapped(std::string_view text, std::size_t width);

/// "1.2 GB": powers of 1000, for people.
std::string human_bytes(double bytes);

}  // namespace etalon::base
