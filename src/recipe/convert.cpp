// SPDX-License-Identifier: Apache-2.0
// Recipes to JSON and back, strictly: what a dossier or an order holds is complete, or it is refused.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "recipe/key.h"
#include "recipe/resolve.h"
#include "recipe/written.h"

namespace etalon::recipe {

namespace {

using base::Error;
using base::ExitCode;
using base::Json;

constexpr std::string_view resolved_place = "resolved recipe";

Error malformed(const std::string& problem) {
  return Error(ExitCode::usage, fmt::format("{}: {}", resolved_place, problem),
               "it must be as étalon wrote it: docs/recipes.md");
}

const Json& member(const Json& object, const std::string& name) {
  if (!object.is_object()) throw malformed("not a JSON object");
  const auto found = object.find(name);
  if (found == object.end()) throw malformed(fmt::format("it lacks \"{}\"", name));
  return *found;
}

const std::string& text_member(const Json& object, const std::string& name) {
  const Json& value = member(object, name);
  if (!value.is_string()) throw malformed(fmt::format("\"{}\" is not a text", name));
  return value.get_ref<const std::string&>();
}

/// Nested objects → dotted names of their leaves; stops at names that are no group, so depth is bounded by the table.
void refuse_strangers(const Json& object, const std::string& prefix) {
  if (!object.is_object())
    throw malformed(prefix.empty() ? "not a JSON object"
                                   : fmt::format("{} is not an object", prefix.substr(0, prefix.size() - 1)));
  for (const auto& [name, value] : object.items()) {
    const std::string dotted = prefix + name;
    if (is_group(dotted))
      refuse_strangers(value, dotted + ".");
    else if (find_key(dotted) == nullptr)
      throw unknown_key(dotted, std::string(resolved_place));
  }
}

/// A key that an older étalon did not have stands for its built-in value.
const Json& leaf(const Json& json, const Key& key) {
  const Json* node = &json;
  for (const std::string_view part : base::split(key.name, '.')) {
    const auto found = node->find(std::string(part));
    if (found != node->end()) {
      node = &*found;
    } else if (key.supplier == Supplier::built_in) {
      return key.built_in;
    } else {
      throw malformed(fmt::format("it lacks {}", key.name));
    }
  }
  return *node;
}

Origin origin_from_json(const Json& json) {
  const Origin origin{text_member(json, "kind"), text_member(json, "place")};
  if (std::find(origin_kinds.begin(), origin_kinds.end(), origin.kind) == origin_kinds.end())
    throw malformed(fmt::format("\"{}\" is no kind of origin", base::printable(origin.kind, 80)));
  return origin;
}

}  // namespace

Json to_json(const Recipe& recipe) {
  Json json = Json::object();
  for (const Key& key : keys()) {
    Json* node = &json;
    for (const std::string_view part : base::split(key.name, '.')) node = &(*node)[std::string(part)];
    *node = read(recipe, key);
  }
  return json;
}

Recipe from_json(const Json& json) {
  refuse_strangers(json, "");
  Recipe recipe;
  for (const Key& key : keys()) assign(recipe, key, leaf(json, key), std::string(resolved_place));
  if (recipe.engine.device == "auto") throw malformed("engine.device is still \"auto\": resolving decides it");
  return recipe;
}

Json to_json(const ResolvedRecipe& resolved) {
  Json origins = Json::object();
  for (const Key& key : keys()) {
    const Origin& origin = resolved.origins.at(key.name);
    origins[key.name] = {{"kind", origin.kind}, {"place", origin.place}};
  }
  return {{"name", resolved.name}, {"values", to_json(resolved.recipe)}, {"origins", origins}};
}

ResolvedRecipe resolved_from_json(const Json& json) {
  ResolvedRecipe resolved{from_json(member(json, "values")), text_member(json, "name"), {}};
  const Json& origins = member(json, "origins");
  for (const Key& key : keys()) {
    const bool may_lack = key.supplier == Supplier::built_in && origins.is_object() && !origins.contains(key.name);
    resolved.origins[key.name] = may_lack ? Origin{"built-in", ""} : origin_from_json(member(origins, key.name));
  }
  for (const auto& [name, value] : origins.items())
    if (find_key(name) == nullptr) throw unknown_key(name, std::string(resolved_place));
  return resolved;
}

}  // namespace etalon::recipe
