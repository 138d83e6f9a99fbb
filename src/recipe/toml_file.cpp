// SPDX-License-Identifier: Apache-2.0
// The only file that sees toml++. Bounds come first: the library frees nested tables by recursion.
#include "recipe/toml_file.h"

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
  return base::Error(base::ExitCode::usage, fmt::format("{}:{}:{}: not valid TOML: {}", place, line, column, base::printable(problem, 300)),
                     "mend that line; docs/recipes.md shows how a recipe is written");
}

void check_bounds(std::string_view text, const std::string& place) {
  if (text.size() > largest_toml_bytes)
    throw base::Error(base::ExitCode::usage, fmt::format("{}: longer than 1 MiB", place), "is it the right file?");
  std::size_t line = 1;
  for (const std::string_view content : base::split(text, '\n')) {
    const auto dots = std::count(content.begin(), content.end(), '.');
    if (dots > most_dots)
      throw not_toml(place, line, 1, fmt::format("{} dots in one line: no key lies so deep", dots));
    ++line;
  }
}

std::string quoted_unless_bare(std::string_view part) {
  const bool bare = !part.empty() && std::all_of(part.begin(), part.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
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

}  // namespace

std::vector<Entry> read_toml(std::string_view text, const std::string& place) {
  check_bounds(text, place);
  std::vector<Entry> entries;
  try {
    flatten(toml::parse(text), "", entries);
  } catch (const toml::parse_error& error) {
    throw not_toml(place, error.source().begin.line, error.source().begin.column, error.description());
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& left, const Entry& right) { return left.line < right.line; });
  return entries;
}

}  // namespace etalon::recipe
