// SPDX-License-Identifier: Apache-2.0
#include "report/key_facts.h"

#include <map>

#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"
#include "report/values.h"

namespace etalon::report {

namespace {

const base::Json* find_fact(const dossier::Dossier& dossier, const std::string& name) {
  for (const base::Json& fact : dossier.environment.at("machine").at("facts"))
    if (fact.at("name") == name && fact.at("state") == "value") return &fact;
  return nullptr;
}

std::string with_word(const std::string& value, const std::string& word) {
  return value.empty() ? "" : value + " " + word;
}

std::string workload(const Material& material) {
  const recipe::Recipe& recipe = material.dossier.recipe.recipe;
  std::vector<std::string> parts = {recipe.workload.family + " " + recipe.workload.model};
  const base::Json* config = material.launches.empty() ? nullptr : &material.launches.front().events.config;
  if (config != nullptr && config->is_object() && config->contains("parameters") &&
      config->at("parameters").is_number())
    parts.front() += fmt::format(" of {} parameters", base::to_human(config->at("parameters").get<double>(), 3));
  parts.push_back(recipe.training.method + " training in " + recipe.training.precision);
  if (recipe.workload.context > 0) parts.push_back(fmt::format("context {}", recipe.workload.context));
  if (config != nullptr && config->is_object() && config->contains("units_per_step") &&
      config->at("units_per_step").is_number_integer() && config->at("units_per_step") > 0)
    parts.push_back(fmt::format("{} {}s a step and device",
                                base::to_human(config->at("units_per_step").get<double>(), 1),
                                material.launches.front().unit));
  parts.push_back("data " + recipe.data.source);
  return base::join_filled(parts, ", ");
}

/// "2 × NVIDIA H200 (150.8 GB)", each model once.
std::string cards(const dossier::Dossier& dossier) {
  std::map<std::string, int> models;
  for (int device = 0; device < 64; ++device) {
    const std::string name = machine_fact(dossier, fmt::format("nvidia.{}.name", device));
    if (name.empty()) break;
    const auto bytes = machine_number(dossier, fmt::format("nvidia.{}.memory", device));
    ++models[bytes ? fmt::format("{} ({})", name, base::human_bytes(*bytes)) : name];
  }
  std::string text;
  for (const auto& [model, count] : models) text += fmt::format("{}{} × {}", text.empty() ? "" : ", ", count, model);
  return text;
}

std::string machine_in_words(const dossier::Dossier& dossier) {
  const std::string card = cards(dossier);
  const std::string driver = machine_fact(dossier, "nvidia.driver");
  return base::join_filled(
      {card, card.empty() || driver.empty() ? "" : "driver " + driver, machine_fact(dossier, "cpu.model"),
       with_word(machine_fact(dossier, "cpu.count"), "CPUs"),
       with_word(machine_fact(dossier, "memory.total"), "of memory"), machine_fact(dossier, "system.name")},
      ", ");
}

std::string software(const Material& material) {
  std::vector<std::string> parts;
  const base::Json* hello = material.launches.empty() ? nullptr : &material.launches.front().events.hello;
  if (hello != nullptr && hello->is_object()) {
    if (hello->contains("engine")) parts.push_back("engine " + plain(hello->at("engine")));
    if (hello->contains("device")) parts.push_back("on " + plain(hello->at("device")));
    const auto versions = hello->find("versions");
    if (versions != hello->end() && versions->is_object() && versions->contains("pytorch"))
      parts.push_back("PyTorch " + plain(versions->at("pytorch")));
  }
  parts.push_back("étalon " + plain(material.dossier.environment.at("etalon").at("version")));
  return base::join_filled(parts, ", ");
}

std::string method(const Material& material) {
  std::string text = "profile " + material.dossier.recipe.recipe.measure.profile;
  for (const LaunchSeries& launch : material.launches) {
    if (!launch.window) continue;
    const WindowSteps& window = *launch.window;
    text += fmt::format("; launch {}: {} s with {} steps, after {} s of warm-up", launch.launch,
                        base::to_human(window.end_seconds - window.start_seconds, 3), window.milliseconds.size(),
                        base::to_human(window.start_seconds, 3));
  }
  return text;
}

}  // namespace

std::string machine_fact(const dossier::Dossier& dossier, const std::string& name) {
  const base::Json* fact = find_fact(dossier, name);
  if (fact == nullptr) return "";
  return fact_in_words(fact->at("value"), fact->value("unit", std::string()));
}

std::optional<double> machine_number(const dossier::Dossier& dossier, const std::string& name) {
  const base::Json* fact = find_fact(dossier, name);
  if (fact == nullptr || !fact->at("value").is_number()) return std::nullopt;
  return fact->at("value").get<double>();
}

KeyFacts key_facts(const Material& material) {
  const dossier::Dossier& dossier = material.dossier;
  KeyFacts facts;
  const auto add = [&facts](const char* label, const std::string& value) {
    if (!value.empty()) facts.facts.push_back({label, value});
  };
  add("What", workload(material));
  add("On", machine_in_words(dossier));
  add("With", software(material));
  add("How", method(material));
  for (const dossier::HeadlineValue& value : dossier.headline)
    if (value.name == "held_out_loss")
      add("Learned", value.meaning + " " + with_unit(value.estimate.value, value.unit));
  add("When", plain(dossier.document.at("created")));
  return facts;
}

}  // namespace etalon::report
