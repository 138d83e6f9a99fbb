// SPDX-License-Identifier: Apache-2.0
// One key of a recipe, and the table of all. Validation, --set, JSON both ways, schema, documents and origins are made
// from this table and from nothing else. Internal to this folder.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "recipe/recipe.h"

namespace etalon::recipe {

/// Reaches one member of a Recipe; which alternative it is decides the key's type.
using Member = std::variant<std::string& (*)(Recipe&), std::int64_t& (*)(Recipe&), double& (*)(Recipe&),
                            std::vector<std::string>& (*)(Recipe&), std::vector<double>& (*)(Recipe&)>;

template <auto... Chain>
auto& reach(Recipe& recipe) {
  return (recipe.*....*Chain);
}

/// Bounds of a number, or of each number of a list.
struct Range {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool lowest_excluded = false;
  bool highest_excluded = false;
};

/// A choice that étalon knows but this version does not have; `reason` may be empty.
struct Later {
  std::string choice;
  std::string reason;
};

/// Who gives a key its value when nobody wrote it.
enum class Supplier { built_in, recipe, profile, machine };

struct Key {
  std::string name;  ///< dotted: "training.optimizer.lr"
  Member member;
  Supplier supplier;
  base::Json built_in;  ///< when the supplier is built_in
  std::string unit;
  std::string meaning;
  Range range = {};
  std::vector<std::string> choices =
      {};  ///< of a text, or of each text of a list; "text:FILE" takes any text after the colon
  std::vector<Later> later = {};
  std::size_t length = 0;  ///< of a list, when it is fixed
};

/// The table, in the order of documents and of JSON.
const std::vector<Key>& keys();

/// nullptr when there is none.
const Key* find_key(std::string_view name);

/// Names of all keys.
const std::vector<std::string>& key_names();

/// "training" and "training.optimizer" are groups.
bool is_group(std::string_view name);

/// The value in the key's own type (an integer written for a number becomes one). Throws Error(usage) saying what the
/// key takes; `place` opens the message.
base::Json checked(const Key& key, const base::Json& value, const std::string& place);

/// Checks, then stores.
void assign(Recipe& recipe, const Key& key, const base::Json& value, const std::string& place);

base::Json read(const Recipe& recipe, const Key& key);

/// A value as one would write it in TOML.
std::string to_toml(const base::Json& value);

/// "an integer from 1 to 1,048,576", "one of fp32, bf16-autocast".
std::string expected(const Key& key);

/// The error for a key that the table lacks, with the nearest one; `word` is a dotted name.
base::Error unknown_key(const std::string& word, const std::string& place);

/// A bound for people: grouped digits when it is whole.
std::string bound_text(double value);

/// Kinds of Origin, in the order from lowest to highest precedence.
inline constexpr std::array<std::string_view, 6> origin_kinds{"built-in",      "machine", "profile",
                                                              "configuration", "recipe",  "command line"};

/// True when `choice` ("text:FILE") admits `text` ("text:book.txt").
bool admits(std::string_view choice, std::string_view text);

inline constexpr std::size_t longest_text_bytes = 4096;
inline constexpr std::size_t longest_list = 64;

}  // namespace etalon::recipe
