// SPDX-License-Identifier: Apache-2.0
// What can be done with a key of the table: check a value, store it, read it back, say what it takes.
#include "recipe/key.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"

namespace etalon::recipe {

namespace {

using base::Json;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

using TextMember = std::string& (*)(Recipe&);
using IntegerMember = std::int64_t& (*)(Recipe&);
using NumberMember = double& (*)(Recipe&);
using TextsMember = std::vector<std::string>& (*)(Recipe&);
using NumbersMember = std::vector<double>& (*)(Recipe&);

constexpr std::string_view documents = "`etalon list keys` shows every key";

/// "from 1 to 8", "above 0", "of at least 0 and below 1"; empty without bounds.
std::string bounds(const Range& range) {
  const bool low = std::isfinite(range.lowest);
  const bool high = std::isfinite(range.highest);
  if (low && high && !range.lowest_excluded && !range.highest_excluded)
    return range.lowest == range.highest
               ? fmt::format(" equal to {}", bound_text(range.lowest))
               : fmt::format(" from {} to {}", bound_text(range.lowest), bound_text(range.highest));
  std::string text;
  if (low) text += fmt::format(" {} {}", range.lowest_excluded ? "above" : "of at least", bound_text(range.lowest));
  if (low && high) text += " and";
  if (high) text += fmt::format(" {} {}", range.highest_excluded ? "below" : "at most", bound_text(range.highest));
  return text;
}

bool inside(const Range& range, double value) {
  return std::isfinite(value) && (range.lowest_excluded ? value > range.lowest : value >= range.lowest) &&
         (range.highest_excluded ? value < range.highest : value <= range.highest);
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F; });
}

base::Error refusal(const Key& key, const std::string& place, const Json& value) {
  return base::Error(
      base::ExitCode::usage,
      fmt::format("{}: {} must be {}, not {}", place, key.name, expected(key), base::printable(to_toml(value), 80)),
      fmt::format("{}: {}; {}", key.name, key.meaning, documents));
}

base::Error not_yet(const Key& key, const std::string& place, const std::string& value, const Later& later) {
  const std::string reason = later.reason.empty() ? "" : ": " + later.reason;
  return base::Error(base::ExitCode::usage,
                     fmt::format("{}: {} = {} is known to étalon, but this version does not have it{}", place, key.name,
                                 base::printable(to_toml(value), 80), reason),
                     key.choices.empty() ? fmt::format("leave {} out", key.name)
                                         : fmt::format("this version has: {}", base::join(key.choices, ", ")));
}

base::Error no_such_choice(const Key& key, const std::string& place, const std::string& value) {
  std::vector<std::string> known = key.choices;
  for (const Later& later : key.later) known.push_back(later.choice);
  const std::string meant = value.size() > 64 ? "" : base::nearest(value, known);
  const std::string hint = meant.empty() ? "" : fmt::format("did you mean \"{}\"? ", meant);
  return base::Error(
      base::ExitCode::usage,
      fmt::format("{}: {} must be {}, not {}", place, key.name, expected(key), base::printable(to_toml(value), 80)),
      fmt::format("{}{}: {}; {}", hint, key.name, key.meaning, documents));
}

void check_text(const Key& key, const std::string& place, const Json& value) {
  if (!value.is_string()) throw refusal(key, place, value);
  const auto& text = value.get_ref<const std::string&>();
  if (text.size() > longest_text_bytes)
    throw base::Error(base::ExitCode::usage,
                      fmt::format("{}: {} is longer than {} bytes", place, key.name, longest_text_bytes), "shorten it");
  if (has_control_character(text))
    throw base::Error(base::ExitCode::usage, fmt::format("{}: {} contains a control character", place, key.name),
                      "write it on one line without tabs or escape sequences");
  const bool free = key.choices.empty() && key.later.empty();
  if (free && text.empty() && key.supplier == Supplier::recipe) throw refusal(key, place, value);
  if (free || std::any_of(key.choices.begin(), key.choices.end(),
                          [&](const std::string& choice) { return admits(choice, text); }))
    return;
  for (const Later& later : key.later)
    if (admits(later.choice, text)) throw not_yet(key, place, text, later);
  throw no_such_choice(key, place, text);
}

Json checked_number(const Key& key, const std::string& place, const Json& element, const Json& whole) {
  if (!element.is_number() || !inside(key.range, element.get<double>())) throw refusal(key, place, whole);
  return element.get<double>();
}

Json checked_integer(const Key& key, const std::string& place, const Json& value) {
  const bool too_large = value.is_number_unsigned() &&
                         value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  if (!value.is_number_integer() || too_large) throw refusal(key, place, value);
  const auto integer = value.get<std::int64_t>();
  if (!inside(key.range, static_cast<double>(integer))) throw refusal(key, place, value);
  return integer;
}

void check_list(const Key& key, const std::string& place, const Json& value) {
  if (!value.is_array() || value.size() > longest_list || (key.length != 0 && value.size() != key.length))
    throw refusal(key, place, value);
}

std::string list_words(const Key& key, const std::string& of) {
  return key.length != 0 ? fmt::format("a list of {} {}", key.length, of) : fmt::format("a list of {}", of);
}

}  // namespace

const Key* find_key(std::string_view name) {
  const auto found = std::find_if(keys().begin(), keys().end(), [&](const Key& key) { return key.name == name; });
  return found == keys().end() ? nullptr : &*found;
}

const std::vector<std::string>& key_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Key& key : keys()) all.push_back(key.name);
    return all;
  }();
  return names;
}

bool is_group(std::string_view name) {
  const std::string prefix = std::string(name) + ".";
  return std::any_of(keys().begin(), keys().end(), [&](const Key& key) { return key.name.starts_with(prefix); });
}

std::string bound_text(double value) {
  return std::floor(value) == value && std::abs(value) < 1e16 ? base::to_human(value, 1) : base::to_text(value);
}

bool admits(std::string_view choice, std::string_view text) {
  const std::size_t colon = choice.find(':');
  if (colon == std::string_view::npos) return choice == text;
  return text.size() > colon + 1 && text.starts_with(choice.substr(0, colon + 1));
}

std::string expected(const Key& key) {
  const auto numbers = [&](const std::string& word) { return word + bounds(key.range); };
  return std::visit(Overloaded{[&](TextMember) {
                                 return key.choices.empty()       ? std::string("a text")
                                        : key.choices.size() == 1 ? fmt::format("\"{}\"", key.choices.front())
                                                                  : "one of " + base::join(key.choices, ", ");
                               },
                               [&](IntegerMember) { return numbers("an integer"); },
                               [&](NumberMember) { return numbers("a number"); },
                               [&](TextsMember) { return list_words(key, "texts"); },
                               [&](NumbersMember) { return list_words(key, numbers("numbers")); }},
                    key.member);
}

Json checked(const Key& key, const Json& value, const std::string& place) {
  return std::visit(Overloaded{[&](TextMember) {
                                 check_text(key, place, value);
                                 return value;
                               },
                               [&](IntegerMember) { return checked_integer(key, place, value); },
                               [&](NumberMember) { return checked_number(key, place, value, value); },
                               [&](TextsMember) {
                                 check_list(key, place, value);
                                 for (const Json& element : value) check_text(key, place, element);
                                 return value;
                               },
                               [&](NumbersMember) {
                                 check_list(key, place, value);
                                 Json list = Json::array();
                                 for (const Json& element : value)
                                   list.push_back(checked_number(key, place, element, value));
                                 return list;
                               }},
                    key.member);
}

void assign(Recipe& recipe, const Key& key, const Json& value, const std::string& place) {
  const Json good = checked(key, value, place);
  std::visit([&](auto member) { good.get_to(member(recipe)); }, key.member);
}

Json read(const Recipe& recipe, const Key& key) {
  Recipe copy = recipe;  // members are reached for writing: one way to reach them is enough
  return std::visit([&](auto member) { return Json(member(copy)); }, key.member);
}

std::string to_toml(const Json& value) {
  if (value.is_array()) {
    std::vector<std::string> parts;
    for (const Json& element : value) parts.push_back(to_toml(element));
    return "[" + base::join(parts, ", ") + "]";
  }
  if (value.is_number_float()) {
    const std::string text = base::to_text(value.get<double>());
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
  }
  return value.is_null() ? "a value of another kind" : base::to_line(value);
}

base::Error unknown_key(const std::string& word, const std::string& place) {
  std::string meant = word.size() > 100 ? "" : base::nearest(word, key_names());
  const std::string last = "." + word.substr(word.rfind('.') + 1);
  for (const Key& key : keys())  // the right word in the wrong table
    if (meant.empty() && key.name.ends_with(last)) meant = key.name;
  return base::Error(base::ExitCode::usage, fmt::format("{}: there is no key {}", place, base::printable(word, 100)),
                     meant.empty() ? std::string(documents) : fmt::format("did you mean {}? {}", meant, documents));
}

}  // namespace etalon::recipe
