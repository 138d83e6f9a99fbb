// SPDX-License-Identifier: Apache-2.0
// From text to RequestedRecipe: every key known, typed and in range, and remembered with its file and line.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/text.h"
#include "recipe/key.h"
#include "recipe/resolve.h"
#include "recipe/toml_file.h"
#include "recipe/written.h"

namespace etalon::recipe {

namespace {

using base::Error;
using base::ExitCode;
using base::Json;

Error not_a_value(const std::string& group, const std::string& where) {
  std::vector<std::string> members;
  for (const std::string& name : key_names())
    if (name.starts_with(group + ".")) members.push_back(name);
  return Error(ExitCode::usage, fmt::format("{}: {} is a table, not a value", where, group),
               fmt::format("it holds {}", base::join(members, ", ")));
}

Error not_a_table(const Key& key, const std::string& where) {
  return Error(ExitCode::usage, fmt::format("{}: {} must be {}, not a table", where, key.name, expected(key)),
               fmt::format("{}: {}", key.name, key.meaning));
}

/// The value after '=' of an assignment. A text may be bare; everything else is TOML.
Json assigned_value(const Key& key, std::string_view text, const std::string& place) {
  const bool quoted = text.starts_with('"') || text.starts_with('\'');
  const bool bare_text = std::holds_alternative<std::string& (*)(Recipe&)>(key.member) && !quoted;
  const bool bare_element =
      std::holds_alternative<std::vector<std::string>& (*)(Recipe&)>(key.member) && !quoted && !text.starts_with('[');
  if (bare_text) return std::string(text);
  if (bare_element) return Json::array({std::string(text)});
  try {
    const std::vector<Entry> entries = read_toml(fmt::format("value = {}", text), place);
    if (entries.size() == 1 && !entries.front().table) return entries.front().value;
  } catch (const Error&) {
    // falls through: to the person who typed it, what the key takes says more than where TOML stumbled
  }
  throw Error(ExitCode::usage,
              fmt::format("{}: {} must be {}, not {}", place, key.name, expected(key), base::printable(text, 80)),
              fmt::format("{}: {}", key.name, key.meaning));
}

}  // namespace

std::string place_of(const Origin& origin) { return origin.place.empty() ? origin.kind : origin.place; }

std::map<std::string, WrittenValue> written_values(const std::vector<Entry>& entries, const std::string& place,
                                                   const std::string& kind) {
  std::map<std::string, WrittenValue> values;
  const std::string file_name =
      std::filesystem::path(place).filename().string();  // folders may name a person: origins do not keep them
  for (const Entry& entry : entries) {
    const std::string where = fmt::format("{}:{}", place, entry.line);
    const Key* key = find_key(entry.name);
    const bool group = is_group(entry.name);
    if (key == nullptr && !group) throw unknown_key(entry.name, where);
    if (group && !entry.table) throw not_a_value(entry.name, where);
    if (key != nullptr && entry.table) throw not_a_table(*key, where);
    if (key != nullptr)
      values[entry.name] = {checked(*key, entry.value, where), {kind, fmt::format("{}:{}", file_name, entry.line)}};
  }
  return values;
}

RequestedRecipe parse(std::string_view toml, const std::string& name, const std::string& place) {
  return {name, std::string(toml), written_values(read_toml(toml, place), place, "recipe")};
}

std::pair<std::string, WrittenValue> parse_assignment(std::string_view assignment, const Origin& origin) {
  const std::string place = place_of(origin);
  if (assignment.size() > 4 * longest_text_bytes)
    throw Error(ExitCode::usage,
                fmt::format("{}: the assignment is longer than {} bytes", place, 4 * longest_text_bytes),
                "write it in a recipe");
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw Error(ExitCode::usage, fmt::format("{}: \"{}\" is not KEY=VALUE", place, base::printable(assignment, 80)),
                "write, for example, --set training.micro_batch=4");
  const std::string name(base::trim(assignment.substr(0, equals)));
  const Key* key = find_key(name);
  if (key == nullptr && is_group(name)) throw not_a_value(name, place);
  if (key == nullptr) throw unknown_key(name, place);
  const Json value = assigned_value(*key, base::trim(assignment.substr(equals + 1)), place);
  return {name, {checked(*key, value, place), origin}};
}

}  // namespace etalon::recipe
