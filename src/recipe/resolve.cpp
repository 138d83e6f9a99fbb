// SPDX-License-Identifier: Apache-2.0
// Requested → resolved: for each key of the table the highest layer that has it, then the rules between keys.
#include "recipe/resolve.h"

#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "recipe/key.h"
#include "recipe/profiles.h"
#include "recipe/rules.h"
#include "recipe/written.h"

namespace etalon::recipe {

namespace {

using Layer = std::map<std::string, WrittenValue>;

const WrittenValue* first_of(const std::string& key, std::initializer_list<const Layer*> layers) {
  for (const Layer* layer : layers)
    if (const auto found = layer->find(key); found != layer->end()) return &found->second;
  return nullptr;
}

/// What people wrote, highest first, in one layer.
Layer merge(const Layer& command_line, const Layer& recipe, const Layer& configuration) {
  Layer merged = command_line;
  merged.insert(recipe.begin(), recipe.end());
  merged.insert(configuration.begin(), configuration.end());
  for (const auto& [name, written] : merged)
    if (find_key(name) == nullptr) throw unknown_key(name, place_of(written.origin));
  return merged;
}

/// A profile asked for on the command line means all of itself: it outranks what a recipe says about its own.
Layer with(Layer command_line, const Layer& profile) {
  command_line.insert(profile.begin(), profile.end());
  return command_line;
}

Layer profile_layer(const Layer& written) {
  const Key& key = *find_key("measure.profile");
  const WrittenValue* chosen = first_of(key.name, {&written});
  const base::Json value = checked(key, chosen == nullptr ? key.built_in : chosen->value,
                                   chosen == nullptr ? "built-in" : place_of(chosen->origin));
  Layer layer;
  const auto name = value.get<std::string>();
  for (const auto& [profile_key, profile_value] : find_profile(name)->values)
    layer[profile_key] = {profile_value, {"profile", name}};
  return layer;
}

std::string count_of_gpus(int count) {
  if (count == 0) return "no NVIDIA GPU is usable";
  return fmt::format("{} NVIDIA GPU{} usable", count, count == 1 ? " is" : "s are");
}

/// Device and GPUs follow each other: whichever was written decides, else the machine.
Layer machine_layer(const Layer& written, const machine::Machine& machine) {
  const WrittenValue* device = first_of("engine.device", {&written});
  const WrittenValue* gpus = first_of("launch.gpus", {&written});
  const bool device_is_open = device == nullptr || device->value == "auto";
  const bool cuda = !device_is_open   ? device->value == "cuda"
                    : gpus != nullptr ? gpus->value != 0
                                      : machine.nvidia_gpus > 0;
  const std::string asked = device == nullptr ? "" : fmt::format("; auto asked by {}", place_of(device->origin));
  const std::string why_device =
      (gpus != nullptr ? "launch.gpus = " + to_toml(gpus->value) : count_of_gpus(machine.nvidia_gpus)) + asked;
  const std::string why_gpus =
      device_is_open ? count_of_gpus(machine.nvidia_gpus) : "engine.device = " + to_toml(device->value);
  return {{"engine.device", {cuda ? "cuda" : "cpu", {"machine", why_device}}},
          {"launch.gpus", {cuda ? 1 : 0, {"machine", why_gpus}}}};
}

base::Error missing_keys(const std::string& name, const std::vector<const Key*>& missing) {
  std::vector<std::string> lines;
  for (const Key* key : missing) lines.push_back(key->name);
  const Key& first = *missing.front();
  return base::Error(base::ExitCode::usage, fmt::format("recipe {}: it lacks {}", name, base::join(lines, ", ")),
                     fmt::format("{} must be {} ({}); write it in the recipe or give it by --set", first.name,
                                 expected(first), first.meaning));
}

}  // namespace

ResolvedRecipe resolve(const RequestedRecipe& requested, const std::map<std::string, WrittenValue>& command_line,
                       const std::map<std::string, WrittenValue>& configuration, const machine::Machine& machine) {
  Layer written = merge(command_line, requested.values, configuration);
  const Layer profile = profile_layer(written);
  if (command_line.contains("measure.profile"))
    written = merge(with(command_line, profile), requested.values, configuration);
  const Layer from_machine = machine_layer(written, machine);
  if (const auto device = written.find("engine.device"); device != written.end() && device->second.value == "auto")
    written.erase(device);

  ResolvedRecipe resolved;
  resolved.name = requested.name;
  std::vector<const Key*> missing;
  for (const Key& key : keys()) {
    const WrittenValue built_in{key.built_in, {"built-in", ""}};
    const WrittenValue* value = first_of(key.name, {&written, &profile, &from_machine});
    if (value == nullptr && key.supplier == Supplier::built_in) value = &built_in;
    if (value == nullptr) {
      missing.push_back(&key);
      continue;
    }
    assign(resolved.recipe, key, value->value, place_of(value->origin));
    resolved.origins[key.name] = value->origin;
  }
  if (!missing.empty()) throw missing_keys(requested.name, missing);
  check_rules(resolved);
  return resolved;
}

}  // namespace etalon::recipe
