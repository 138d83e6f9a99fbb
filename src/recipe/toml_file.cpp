// SPDX-License-Identifier: Apache-2.0
// The only file that sees toml++. Bounds come first: the library frees nested tables by recursion. And toml++ 3.3 asserts
// what a malformed text can break ("[" at the end of a line), and lets clang assume it in a release build: here such an
// assertion throws in every build.
#include "recipe/toml_file.h"

namespace {
struct BrokenAssertion {};
[[noreturn]] void break_off() { throw BrokenAssertion(); }
}  // namespace

#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>((expression) || (break_off(), false))
#define TOML_MAX_NESTED_VALUES 16
#define TOML_FLOAT_CHARCONV 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace etalon::recipe {

namespace {

using base::Json;

constexpr std::ptrdiff_t most_dots = 256;

base::Error not_toml(const std::string& place, std::size_t line, std::size_t column, std::string_view problem) {
  return base::Error(base::ExitCode::usage,
                     fmt::format("{}:{}:{}: not valid TOML: {}", place, line, column, base::printable(problem, 300)),
                     "mend that line; docs/recipes.md shows how a recipe is written");
}

void check_bounds(std::string_view text, const std::string& place) {
  if (text.size() > largest_toml_bytes)
    throw base::Error(base::ExitCode::usage, fmt::format("{}: longer than 1 MiB", place), "is it the right file?");
  std::size_t line = 1;
  for (const std::string_view content : base::split(text, '\n')) {
    const auto dots = std::count(content.begin(), content.end(), '.');
    if (dots > most_dots) throw not_toml(place, line, 1, fmt::format("{} dots in one line: no key lies so deep", dots));
    ++line;
  }
}

/// The end of the string that opens at `start`, behind its closing quotes; for an unclosed one the end of its line.
std::size_t end_of_string(std::string_view text, std::size_t start) {
  const char quote = text[start];
  const std::string triple(3, quote);
  const bool many_lines = text.substr(start, 3) == triple;
  std::size_t at = start + (many_lines ? 3 : 1);
  for (; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\')
      ++at;
    else if (!many_lines && (text[at] == quote || text[at] == '\n'))
      return at + 1;
    else if (many_lines && text.substr(at, 3) == triple)
      return std::min({text.find_first_not_of(quote, at), at + 5, text.size()});  // two quotes may end the content
  }
  return text.size();
}

/// toml++ 3.3 reaches what it calls unreachable at a letter beyond ASCII outside strings and comments, where TOML has none.
void refuse_stray_letters(std::string_view text, const std::string& place) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::size_t at = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  while (at < text.size()) {
    if (text[at] == '#')
      at = std::min(text.find('\n', at), text.size());
    else if (text[at] == '"' || text[at] == '\'')
      at = end_of_string(text, at);
    else if (static_cast<unsigned char>(text[at]) < 0x80)
      ++at;
    else
      break;
  }
  if (at >= text.size()) return;
  const std::string_view before = text.substr(0, at);
  const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  throw not_toml(place, line, at - (before.rfind('\n') + 1) + 1, "a letter beyond ASCII outside quotes");
}

std::string quoted_unless_bare(std::string_view part) {
  const bool bare = !part.empty() && std::all_of(part.begin(), part.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '_' || letter == '-';
  });
  return bare ? std::string(part) : "\"" + base::printable(part, 100) + "\"";
}

Json to_json(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* truth = node.as_boolean()) return truth->get();
  if (const auto* array = node.as_array()) {
    Json list = Json::array();
    for (const toml::node& element : *array) list.push_back(to_json(element));
    return list;
  }
  return nullptr;
}

void flatten(const toml::table& table, const std::string& prefix, std::vector<Entry>& entries) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + quoted_unless_bare(key.str());
    const toml::table* inner = node.as_table();
    entries.push_back({name, inner != nullptr, inner != nullptr ? Json() : to_json(node), key.source().begin.line});
    if (inner != nullptr) flatten(*inner, name + ".", entries);
  }
}

bool breaks_an_assertion(std::string_view text) {
  try {
    static_cast<void>(toml::parse(text));
  } catch (const BrokenAssertion&) {
    return true;
  } catch (const toml::parse_error&) {
  }
  return false;
}

/// The parser goes from left to right and stops at the first error, so halving finds the line at which an assertion breaks.
std::size_t line_of_broken_assertion(std::string_view text) {
  std::vector<std::size_t> ends;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1))
    ends.push_back(end + 1);
  const auto first = std::partition_point(ends.begin(), ends.end(),
                                          [&](std::size_t end) { return !breaks_an_assertion(text.substr(0, end)); });
  return static_cast<std::size_t>(first - ends.begin()) + 1;
}

}  // namespace

std::vector<Entry> read_toml(std::string_view text, const std::string& place) {
  check_bounds(text, place);
  refuse_stray_letters(text, place);
  std::vector<Entry> entries;
  try {
    flatten(toml::parse(text), "", entries);
  } catch (const toml::parse_error& error) {
    throw not_toml(place, error.source().begin.line, error.source().begin.column, error.description());
  } catch (const BrokenAssertion&) {
    throw not_toml(place, line_of_broken_assertion(text), 1, "a key or value was expected");
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& left, const Entry& right) { return left.line < right.line; });
  return entries;
}

}  // namespace etalon::recipe
