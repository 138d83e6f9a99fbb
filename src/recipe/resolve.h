// SPDX-License-Identifier: Apache-2.0
// From what was written (TOML, --set, user configuration) to what is used: every key typed, in range, with its origin.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "machine/machine.h"
#include "recipe/recipe.h"

namespace etalon::recipe {

/// Where a value came from: "built-in", "machine", "profile quick", "configuration …", "recipe nano.toml:12", "--set".
struct Origin {
  std::string kind;   ///< built-in | machine | profile | configuration | recipe | command line
  std::string place;  ///< file:line, profile name, or the reason the machine gave; may be empty
};

/// One key as somebody wrote it.
struct WrittenValue {
  base::Json value;
  Origin origin;
};

/// What was written, before defaults: dotted key → value. Unknown keys and wrong types are already refused.
struct RequestedRecipe {
  std::string name;  ///< "nano", or the file's stem
  std::string text;  ///< the file, byte for byte: goes into the dossier as recipe.toml
  std::map<std::string, WrittenValue> values;
};

struct ResolvedRecipe {
  Recipe recipe;
  std::string name;
  std::map<std::string, Origin> origins;  ///< one per key of the table
};

/// Parses TOML. `place` is the file's name for messages. Errors (exit 2) name file, line, key and the nearest valid key.
RequestedRecipe parse(std::string_view toml, const std::string& name, const std::string& place);

/// "training.micro_batch=4" (the value as TOML; a bare word is a string). Throws Error(usage).
std::pair<std::string, WrittenValue> parse_assignment(std::string_view assignment, const Origin& origin);

/// Fills every key: command line over recipe over configuration over profile over machine over built-in; then checks the
/// rules that bind keys together (warm-up ≤ cap, …).
ResolvedRecipe resolve(const RequestedRecipe& requested, const std::map<std::string, WrittenValue>& command_line,
                       const std::map<std::string, WrittenValue>& configuration, const machine::Machine& machine);

/// Nested values only, as a worker receives them; and back (throws Error(usage) on a missing or mistyped key).
base::Json to_json(const Recipe& recipe);
Recipe from_json(const base::Json& json);

/// recipe.resolved.json: {"name", "values": {nested}, "origins": {"dotted.key": {"kind","place"}}}.
base::Json to_json(const ResolvedRecipe& resolved);
ResolvedRecipe resolved_from_json(const base::Json& json);

/// For help, documents and the JSON Schema: one entry per key.
struct KeyDescription {
  std::string key;
  std::string type;      ///< "integer", "number", "text", "one of a|b|c", "list of numbers", "list of text"
  std::string range;     ///< "1 … 1,048,576", "> 0", ""
  std::string built_in;  ///< default as TOML, "" when the recipe must give it
  std::string unit;
  std::string meaning;
};
const std::vector<KeyDescription>& describe_keys();

/// JSON Schema of recipe.resolved.json, made from the table.
base::Json resolved_schema();

}  // namespace etalon::recipe
