// SPDX-License-Identifier: Apache-2.0
// The table of keys told to others: descriptions for help and documents, and the JSON Schema of recipe.resolved.json.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "recipe/key.h"
#include "recipe/resolve.h"

namespace etalon::recipe {

namespace {

using base::Json;

enum class Type { text, integer, number, texts, numbers };  // in the order of Member's alternatives

Type type_of(const Key& key) { return static_cast<Type>(key.member.index()); }

std::string type_words(const Key& key) {
  const std::string choices = key.choices.empty() ? "text" : "one of " + base::join(key.choices, "|");
  switch (type_of(key)) {
    case Type::text:
      return choices;
    case Type::integer:
      return "integer";
    case Type::number:
      return "number";
    case Type::texts:
      return "list of text";
    case Type::numbers:
      return key.length == 0 ? "list of numbers" : fmt::format("list of {} numbers", key.length);
  }
  return {};
}

std::string range_words(const Range& range) {
  const bool low = std::isfinite(range.lowest);
  const bool high = std::isfinite(range.highest);
  if (low && high && range.lowest == range.highest) return bound_text(range.lowest);
  if (low && high && !range.lowest_excluded && !range.highest_excluded)
    return fmt::format("{} … {}", bound_text(range.lowest), bound_text(range.highest));
  std::vector<std::string> parts;
  if (low) parts.push_back(fmt::format("{} {}", range.lowest_excluded ? ">" : "≥", bound_text(range.lowest)));
  if (high) parts.push_back(fmt::format("{} {}", range.highest_excluded ? "<" : "≤", bound_text(range.highest)));
  return base::join(parts, ", ");
}

KeyDescription describe(const Key& key) {
  const auto default_words = [&]() -> std::string {
    switch (key.supplier) {
      case Supplier::built_in:
        return to_toml(key.built_in);
      case Supplier::profile:
        return "by the profile";
      case Supplier::machine:
        return "by the machine";
      case Supplier::recipe:
        return "";
    }
    return {};
  };
  return {key.name, type_words(key), range_words(key.range), default_words(), key.unit, key.meaning};
}

Json number_schema(const Key& key, std::string_view type) {
  Json schema = {{"type", type}};
  const auto exact = [&](double value) {
    return type == "integer" ? Json(static_cast<std::int64_t>(value)) : Json(value);
  };
  if (std::isfinite(key.range.lowest))
    schema[key.range.lowest_excluded ? "exclusiveMinimum" : "minimum"] = exact(key.range.lowest);
  if (std::isfinite(key.range.highest))
    schema[key.range.highest_excluded ? "exclusiveMaximum" : "maximum"] = exact(key.range.highest);
  return schema;
}

/// Choices such as "text:FILE" become patterns, the others one list.
Json text_schema(const Key& key) {
  Json plain = Json::array();
  Json alternatives = Json::array();
  for (const std::string& choice : key.choices) {
    const std::size_t colon = choice.find(':');
    if (colon == std::string::npos)
      plain.push_back(choice);
    else
      alternatives.push_back({{"type", "string"}, {"pattern", "^" + choice.substr(0, colon) + ":."}});
  }
  if (alternatives.empty() && plain.empty()) return {{"type", "string"}};
  const Json listed = {{"type", "string"}, {"enum", plain}};
  if (alternatives.empty()) return listed;
  if (!plain.empty()) alternatives.insert(alternatives.begin(), listed);
  return {{"anyOf", alternatives}};
}

Json list_schema(const Key& key, const Json& items) {
  // no choice in this version: the list stays empty
  const std::size_t most =
      key.length != 0 ? key.length : (key.choices.empty() && !key.later.empty() ? 0 : longest_list);
  return {{"type", "array"}, {"items", items}, {"minItems", key.length}, {"maxItems", most}};
}

Json value_schema(const Key& key) {
  switch (type_of(key)) {
    case Type::text:
      return text_schema(key);
    case Type::integer:
      return number_schema(key, "integer");
    case Type::number:
      return number_schema(key, "number");
    case Type::texts:
      return list_schema(key, text_schema(key));
    case Type::numbers:
      return list_schema(key, number_schema(key, "number"));
  }
  return {};
}

Json closed_object() {
  return {
      {"type", "object"}, {"additionalProperties", false}, {"required", Json::array()}, {"properties", Json::object()}};
}

void require(Json& object, const std::string& name) {
  Json& required = object["required"];
  if (std::find(required.begin(), required.end(), name) == required.end()) required.push_back(name);
}

void add(Json& object, const std::string& name, Json schema) {
  object["properties"][name] = std::move(schema);
  require(object, name);
}

/// A key with a built-in value may be absent: an older étalon did not have it, and did what that value says.
bool is_required(const Key& key) { return key.supplier != Supplier::built_in; }

Json values_schema() {
  Json values = closed_object();
  for (const Key& key : keys()) {
    const auto parts = base::split(key.name, '.');
    Json* object = &values;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const std::string group(parts[i]);
      Json& properties = (*object)["properties"];
      if (!properties.contains(group)) properties[group] = closed_object();
      if (is_required(key)) require(*object, group);
      object = &properties[group];
    }
    Json schema = value_schema(key);
    schema["description"] = key.unit.empty() ? key.meaning : fmt::format("{} ({})", key.meaning, key.unit);
    const std::string name(parts.back());
    (*object)["properties"][name] = std::move(schema);
    if (is_required(key)) require(*object, name);
  }
  return values;
}

Json origins_schema() {
  Json origins = closed_object();
  for (const Key& key : keys()) {
    origins["properties"][key.name] = {{"$ref", "#/definitions/origin"}};
    if (is_required(key)) require(origins, key.name);
  }
  return origins;
}

Json origin_schema() {
  Json origin = closed_object();
  add(origin, "kind", {{"type", "string"}, {"enum", origin_kinds}});
  add(origin, "place",
      {{"type", "string"}, {"description", "file:line, profile, or what the machine showed; may be empty"}});
  return origin;
}

}  // namespace

const std::vector<KeyDescription>& describe_keys() {
  static const std::vector<KeyDescription> all = [] {
    std::vector<KeyDescription> descriptions;
    for (const Key& key : keys()) descriptions.push_back(describe(key));
    return descriptions;
  }();
  return all;
}

Json resolved_schema() {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "recipe.resolved.json of an étalon dossier: every value that was used, and who gave it"}};
  schema.update(closed_object());
  add(schema, "name", {{"type", "string"}});
  add(schema, "values", values_schema());
  add(schema, "origins", origins_schema());
  schema["definitions"] = {{"origin", origin_schema()}};
  return schema;
}

}  // namespace etalon::recipe
