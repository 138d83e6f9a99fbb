// SPDX-License-Identifier: Apache-2.0
#include "base/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace etalon::base {

namespace {

template <class Number>
std::optional<Number> parse_whole(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::string with_groups(std::string digits) {
  const std::size_t start = digits.front() == '-' ? 1 : 0;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t position = point; position > start + 3; position -= 3) digits.insert(position - 3, 1, ',');
  return digits;
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) { return parse_whole<std::int64_t>(text); }

std::optional<double> parse_double(std::string_view text) { return parse_whole<double>(text); }

std::string to_text(double value) {
  std::array<char, 32> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return std::string(buffer.data(), result.ptr);
}

std::string to_human(double value, int significant) {
  if (!std::isfinite(value)) return to_text(value);
  if (value == 0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const int decimals = std::max(0, significant - 1 - magnitude);
  if (magnitude < -6) return fmt::format("{:.{}e}", value, significant - 1);
  return with_groups(fmt::format("{:.{}f}", value, decimals));
}

}  // namespace etalon::base
