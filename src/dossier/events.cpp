// SPDX-License-Identifier: Apache-2.0
#include "dossier/events.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "dossier/layout.h"
#include "dossier/line_reader.h"

namespace etalon::dossier {

namespace {

using base::Json;

constexpr std::size_t most_memory_records = 1'000'000;
constexpr std::size_t most_notes = 100;
constexpr std::size_t most_gate_changes = 1000;

std::int64_t count_of(const Json& event, const char* name) {
  const auto member = event.find(name);
  if (member == event.end() || !member->is_number_integer())
    throw std::runtime_error(fmt::format("{} is not an integer", name));
  const bool too_large = member->is_number_unsigned() && member->get<std::uint64_t>() > std::uint64_t{INT64_MAX};
  const auto value = too_large ? -1 : member->get<std::int64_t>();
  if (value < 0) throw std::runtime_error(fmt::format("{} is out of range", name));
  return value;
}

std::string text_of(const Json& event, const char* name) {
  const auto member = event.find(name);
  if (member == event.end() || !member->is_string()) throw std::runtime_error(fmt::format("{} is not a text", name));
  return member->get<std::string>();
}

EvalRecord eval_of(const Json& event, int rank) {
  EvalRecord eval{count_of(event, "step"),
                  count_of(event, "start_ns"),
                  count_of(event, "end_ns"),
                  count_of(event, "units"),
                  0,
                  text_of(event, "name"),
                  rank};
  const auto loss = event.find("loss");
  if (loss == event.end() || !loss->is_number() || !std::isfinite(loss->get<double>()))
    throw std::runtime_error("loss is not a finite number");
  eval.loss = loss->get<double>();
  if (eval.end_ns < eval.start_ns) throw std::runtime_error("the evaluation ends before it starts");
  return eval;
}

std::optional<std::int64_t> optional_count(const Json& event, const char* name) {
  const auto member = event.find(name);
  if (member == event.end() || !member->is_number_integer()) return std::nullopt;
  return member->get<std::int64_t>();
}

std::string optional_text(const Json& event, const char* name) {
  const auto member = event.find(name);
  return member != event.end() && member->is_string() ? member->get<std::string>() : "";
}

void keep_memory(LaunchEvents& events, const Json& event, int rank) {
  const auto time_ns = optional_count(event, "time_ns");
  if (!time_ns || events.memory.size() >= most_memory_records) return;
  events.memory.push_back({*time_ns, rank, optional_count(event, "host_resident_bytes"),
                           optional_count(event, "device_peak_allocated_bytes"),
                           optional_count(event, "device_peak_reserved_bytes")});
}

/// Gates are looked at many times: what counts is when one opened or closed.
void keep_gate(LaunchEvents& events, const Json& event) {
  const auto open = event.find("open");
  const auto time_ns = optional_count(event, "received_ns");
  const std::string gate = optional_text(event, "gate");
  if (optional_text(event, "type") != "gate" || gate.empty() || open == event.end() || !open->is_boolean() || !time_ns)
    return;
  const auto last = std::find_if(events.gates.rbegin(), events.gates.rend(),
                                 [&](const GateChange& change) { return change.gate == gate; });
  const bool was_open = last != events.gates.rend() && last->open;
  if (open->get<bool>() != was_open && events.gates.size() < most_gate_changes)
    events.gates.push_back({gate, open->get<bool>(), *time_ns});
}

void keep(LaunchEvents& events, const Json& event) {
  const std::string type = text_of(event, "type");
  const std::int64_t rank_number = count_of(event, "rank");
  if (rank_number >= most_ranks) throw std::runtime_error("rank is out of range");
  const int rank = static_cast<int>(rank_number);
  RankDeclaration& declaration = events.ranks[rank];
  if (type == "hello" && rank == 0) {
    events.world_size = count_of(event, "world_size");
    events.hello = event;
  } else if (type == "config") {
    declaration.units_per_step = count_of(event, "units_per_step");
    const std::string unit = text_of(event, "unit");
    if (!events.unit.empty() && unit != events.unit) throw std::runtime_error("the ranks count in different units");
    events.unit = unit;
    if (rank == 0) events.config = event;
  } else if (type == "done") {
    declaration.done_steps = count_of(event, "steps");
    declaration.done_units = count_of(event, "units");
  } else if (type == "eval") {
    events.evals.push_back(eval_of(event, rank));
  } else if (type == "memory") {
    keep_memory(events, event, rank);
  } else if (type == "note" && events.notes.size() < most_notes) {
    events.notes.push_back({rank, optional_text(event, "level"), optional_text(event, "text")});
  }
}

}  // namespace

LaunchEvents read_events(const std::filesystem::path& launch_folder) {
  const std::filesystem::path path = launch_folder / events_file;
  LineReader reader(path, most_event_line_bytes);
  LaunchEvents events;
  std::string line;
  while (reader.next(line)) {
    const std::string place = fmt::format("{}:{}", path.string(), reader.line_number());
    try {
      const Json event = base::parse_json(line, "the line");
      if (!event.is_object()) throw std::runtime_error("the line is not a JSON object");
      if (text_of(event, "from") == "worker") {
        keep(events, event);
      } else {
        if (text_of(event, "type") == "target_reached") events.target_step = count_of(event, "step");
        keep_gate(events, event);
      }
    } catch (const std::exception& error) {
      throw base::Error(base::ExitCode::verification_failed, fmt::format("{}: {}", place, error.what()));
    }
    ++events.count;
  }
  events.torn = reader.torn();
  return events;
}

std::vector<EvalRecord> read_evals(const std::filesystem::path& launch_folder) {
  return read_events(launch_folder).evals;
}

}  // namespace etalon::dossier
