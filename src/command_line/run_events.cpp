// SPDX-License-Identifier: Apache-2.0
#include "command_line/run_events.h"

#include <cmath>

namespace etalon::command_line {

namespace {

using base::Json;

/// What is not known, or not finite, is left out.
void add_known(Json& json, const char* name, std::optional<double> value) {
  if (value && std::isfinite(*value)) json[name] = *value;
}

Json gates_json(const std::vector<measure::GateState>& gates) {
  Json list = Json::array();
  for (const measure::GateState& gate : gates) {
    Json json{{"gate", gate.gate}, {"open", gate.open}, {"unit", gate.unit}, {"reason", gate.reason}};
    add_known(json, "value", gate.value);
    add_known(json, "threshold", gate.threshold);
    list.push_back(std::move(json));
  }
  return list;
}

Json readings_json(const std::vector<measure::Reading>& readings) {
  Json list = Json::array();
  for (const measure::Reading& reading : readings)
    list.push_back({{"label", reading.label}, {"value", reading.value}, {"unit", reading.unit}});
  return list;
}

}  // namespace

Json planned_event(const pipeline::Plan& plan) {
  return {{"event", "planned"},
          {"recipe", plan.resolved.name},
          {"title", plan.resolved.recipe.title},
          {"dossier", plan.output.string()},
          {"expected_seconds", {plan.expectation.fewest_seconds, plan.expectation.most_seconds}},
          {"expected_disk_bytes", plan.expectation.disk_bytes}};
}

Json preflight_event(const preflight::Preflight& preflight) {
  return {{"event", "preflight"}, {"findings", preflight::to_json(preflight)}};
}

Json launch_event(std::int64_t index, std::int64_t of) { return {{"event", "launch"}, {"index", index}, {"of", of}}; }

Json progress_event(const measure::Progress& progress) {
  Json json{{"event", "progress"},
            {"phase", progress.phase},
            {"elapsed_seconds", progress.elapsed_seconds},
            {"steps", progress.steps},
            {"total_steps", progress.total_steps},
            {"unit", progress.unit}};
  add_known(json, "loss", progress.loss);
  add_known(json, "units_per_second", progress.units_per_second);
  add_known(json, "relative_half_width", progress.relative_half_width);
  add_known(json, "remaining_seconds", progress.remaining_seconds);
  json["gates"] = gates_json(progress.gates);
  json["readings"] = readings_json(progress.readings);
  return json;
}

Json sealing_event(const std::filesystem::path& folder) { return {{"event", "sealing"}, {"dossier", folder.string()}}; }

Json result_event(const pipeline::RunResult& result) {
  Json headline = Json::array();
  for (const dossier::HeadlineValue& value : result.headline) headline.push_back(dossier::to_json(value));
  return {{"event", "result"},
          {"dossier", result.folder.string()},
          {"verdict", measure::to_text(result.verdict)},
          {"reason", result.reason},
          {"next_step", result.next_step},
          {"exit_code", static_cast<int>(pipeline::exit_code(result.verdict))},
          {"headline", headline}};
}

}  // namespace etalon::command_line
