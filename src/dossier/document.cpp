// SPDX-License-Identifier: Apache-2.0
#include "dossier/document.h"

#include <cmath>
#include <limits>

#include "dossier/columns.h"
#include "dossier/layout.h"
#include "dossier/writer.h"

namespace etalon::dossier {

namespace {

using base::Json;

Json optional_text(const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); }

/// JSON has no infinity; a gate without a number yet says null.
Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
double number_or_infinity(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::infinity() : json.get<double>();
}

Json to_json(const measure::GateState& gate) {
  return {{"gate", gate.gate},
          {"open", gate.open},
          {"value", finite_or_null(gate.value)},
          {"threshold", finite_or_null(gate.threshold)},
          {"unit", gate.unit},
          {"reason", gate.reason}};
}

measure::GateState gate_from_json(const Json& json) {
  return {
      json.at("gate"), json.at("open"),  number_or_infinity(json.at("value")), number_or_infinity(json.at("threshold")),
      json.at("unit"), json.at("reason")};
}

Json missing_channels(const std::vector<measure::Channel>& channels) {
  Json list = Json::array();
  for (const measure::Channel& channel : channels)
    if (channel.state != "value")
      list.push_back({{"name", channel.name},
                      {"unit", channel.unit},
                      {"meaning", channel.meaning},
                      {"source", channel.source},
                      {"state", channel.state},
                      {"reason", channel.reason}});
  return list;
}

std::vector<measure::Channel> channels_from_json(const Json& launch) {
  std::vector<measure::Channel> channels;
  const std::vector<Column> columns = columns_from_json(launch.at("columns").at(telemetry_file));
  for (std::size_t i = 1; i < columns.size(); ++i)  // the first is the time
    channels.push_back({columns[i].name, columns[i].unit, columns[i].meaning, columns[i].source, "value", ""});
  for (const Json& channel : launch.at("missing_channels"))
    channels.push_back({channel.at("name"), channel.at("unit"), channel.at("meaning"), channel.at("source"),
                        channel.at("state"), channel.at("reason")});
  return channels;
}

Json to_json(const LaunchRecord& launch) {
  const measure::LaunchOutcome& outcome = launch.outcome;
  Json gates = Json::array();
  for (const measure::GateState& gate : outcome.gates) gates.push_back(to_json(gate));
  Json window = nullptr;
  if (outcome.window) window = {{"first_step", outcome.window->first_step}, {"last_step", outcome.window->last_step}};
  Json json = {{"index", launch.index},
               {"folder", launch.folder.generic_string()},
               {"verdict", launch.ended ? Json(std::string(measure::to_text(outcome.verdict))) : Json(nullptr)},
               {"reason", outcome.reason},
               {"next_step", outcome.next_step},
               {"ending", outcome.ending},
               {"steps", outcome.steps},
               {"window", window},
               {"gates", gates}};
  json["columns"] = {{steps_file, to_json(steps_columns())},
                     {telemetry_file, to_json(telemetry_columns(outcome.channels))}};
  json["missing_channels"] = missing_channels(outcome.channels);
  return json;
}

LaunchRecord launch_from_json(const Json& json) {
  LaunchRecord launch;
  launch.index = json.at("index");
  launch.folder = launch_folder(launch.index);  // never the text of the file: it might lead elsewhere
  launch.ended = !json.at("verdict").is_null();
  measure::LaunchOutcome& outcome = launch.outcome;
  outcome.verdict =
      launch.ended ? measure::verdict_from_text(json.at("verdict").get<std::string>()) : measure::Verdict::interrupted;
  outcome.reason = launch.ended ? json.at("reason").get<std::string>() : "the run was cut off during this launch";
  outcome.next_step = json.at("next_step");
  outcome.ending = json.at("ending");
  outcome.steps = json.at("steps");
  if (const Json& window = json.at("window"); !window.is_null())
    outcome.window = measure::Window{window.at("first_step"), window.at("last_step")};
  for (const Json& gate : json.at("gates")) outcome.gates.push_back(gate_from_json(gate));
  outcome.channels = channels_from_json(json);
  return launch;
}

}  // namespace

Json to_json(const HeadlineValue& value) {
  Json interval = nullptr;
  const statistics::Estimate& estimate = value.estimate;
  if (estimate.samples >= 2)
    interval = {{"low", estimate.low}, {"high", estimate.high}, {"confidence", estimate.confidence}};
  return {{"name", value.name},     {"value", estimate.value},     {"unit", value.unit},
          {"interval", interval},   {"samples", estimate.samples}, {"meaning", value.meaning},
          {"method", value.method}, {"source", value.source}};
}

HeadlineValue headline_value_from_json(const Json& json) {
  HeadlineValue value{json.at("name"), json.at("unit"), json.at("meaning"), {}, json.at("method"), json.at("source")};
  statistics::Estimate& estimate = value.estimate;
  estimate.value = estimate.low = estimate.high = json.at("value");
  estimate.samples = json.at("samples");
  if (const Json& interval = json.at("interval"); !interval.is_null()) {
    estimate.low = interval.at("low");
    estimate.high = interval.at("high");
    estimate.confidence = interval.at("confidence");
  }
  return value;
}

Json to_json(const Document& document) {
  Json headline = Json::array();
  for (const HeadlineValue& value : document.headline) headline.push_back(to_json(value));
  Json launches = Json::array();
  for (const LaunchRecord& launch : document.launches) launches.push_back(to_json(launch));
  return {{"schema", schema_version},
          {"id", document.id},
          {"title", document.title},
          {"recipe", document.recipe},
          {"status", document.sealed ? "sealed" : "running"},
          {"created", document.created},
          {"created_monotonic_ns", document.created_monotonic_ns},
          {"sealed", optional_text(document.sealed)},
          {"verdict", document.verdict ? Json(std::string(measure::to_text(*document.verdict))) : Json(nullptr)},
          {"reason", document.reason},
          {"headline", headline},
          {"launches", launches}};
}

Document document_from_json(const Json& json) {
  Document document;
  document.id = json.at("id");
  document.title = json.at("title");
  document.recipe = json.at("recipe");
  document.created = json.at("created");
  document.created_monotonic_ns = json.at("created_monotonic_ns");
  if (!json.at("sealed").is_null()) document.sealed = json.at("sealed").get<std::string>();
  if (!json.at("verdict").is_null())
    document.verdict = measure::verdict_from_text(json.at("verdict").get<std::string>());
  document.reason = json.at("reason");
  for (const Json& value : json.at("headline")) document.headline.push_back(headline_value_from_json(value));
  for (const Json& launch : json.at("launches")) document.launches.push_back(launch_from_json(launch));
  return document;
}

}  // namespace etalon::dossier
