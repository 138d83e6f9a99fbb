// SPDX-License-Identifier: Apache-2.0
// Events and commands as JSON lines. Each kind lists its members once (Kind<…>::members); writing and strict reading walk that list.
#include "wire/event.h"

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "wire/step_line.h"

namespace etalon::wire {
namespace {

[[noreturn]] void refuse(std::string_view kind, std::string_view member, std::string_view problem) {
  throw ProtocolError(fmt::format("{}: \"{}\" {}", kind, member, problem));
}

void require_order(std::string_view kind, std::int64_t start_ns, std::int64_t end_ns) {
  if (end_ns < start_ns) refuse(kind, "end_ns", fmt::format("({}) lies before \"start_ns\" ({})", end_ns, start_ns));
}

struct Unchecked {
  static void check(const auto&) {}
};

template <class T>
struct Kind;

template <>
struct Kind<Library> : Unchecked {
  static void members(auto& visit, auto& library) {
    visit("path", library.path);
    visit("sha256", library.sha256);
  }
};

template <>
struct Kind<Hello> {
  static constexpr std::string_view name = "hello";
  static void members(auto& visit, auto& hello) {
    visit("protocol", hello.protocol);
    visit("engine", hello.engine);
    visit("versions", hello.versions);
    visit("rank", hello.rank);
    visit("world_size", hello.world_size);
    visit("process_id", hello.process_id);
    visit("device", hello.device);
    visit("device_uuid", hello.device_uuid);
  }
  static void check(const Hello& hello) {
    if (hello.rank >= hello.world_size) {
      refuse(name, "rank", fmt::format("({}) must be below \"world_size\" ({})", hello.rank, hello.world_size));
    }
  }
};

template <>
struct Kind<Libraries> : Unchecked {
  static constexpr std::string_view name = "libraries";
  static void members(auto& visit, auto& libraries) { visit("libraries", libraries.libraries); }
};

template <>
struct Kind<Config> {
  static constexpr std::string_view name = "config";
  static void members(auto& visit, auto& config) {
    visit("parameters", config.parameters);
    visit("unit", config.unit);
    visit("units_per_step", config.units_per_step);
    visit("flops_per_unit", config.flops_per_unit);
    visit("details", config.details);
  }
  static void check(const Config& config) {
    if (config.unit.empty()) refuse(name, "unit", "is empty");
    if (config.flops_per_unit < 0) refuse(name, "flops_per_unit", "is negative");
  }
};

template <>
struct Kind<Phase> {
  static constexpr std::string_view name = "phase";
  static void members(auto& visit, auto& phase) {
    visit("name", phase.name);
    visit("time_ns", phase.time_ns);
  }
  static void check(const Phase& phase) {
    if (phase.name.empty()) refuse(name, "name", "is empty");
  }
};

template <>
struct Kind<Step> {
  static constexpr std::string_view name = "step";
  static void members(auto& visit, auto& step) {
    visit("index", step.index);
    visit("start_ns", step.start_ns);
    visit("end_ns", step.end_ns);
    visit("gpu_ns", step.gpu_ns);
    visit("units", step.units);
    visit("loss", step.loss);
    visit("data_wait_ns", step.data_wait_ns);
  }
  static void check(const Step& step) { require_order(name, step.start_ns, step.end_ns); }
};

template <>
struct Kind<Memory> : Unchecked {
  static constexpr std::string_view name = "memory";
  static void members(auto& visit, auto& memory) {
    visit("time_ns", memory.time_ns);
    visit("host_resident_bytes", memory.host_resident_bytes);
    visit("device_peak_allocated_bytes", memory.device_peak_allocated_bytes);
    visit("device_peak_reserved_bytes", memory.device_peak_reserved_bytes);
  }
};

template <>
struct Kind<Eval> {
  static constexpr std::string_view name = "eval";
  static void members(auto& visit, auto& eval) {
    visit("name", eval.name);
    visit("step", eval.step);
    visit("start_ns", eval.start_ns);
    visit("end_ns", eval.end_ns);
    visit("units", eval.units);
    visit("loss", eval.loss);
  }
  static void check(const Eval& eval) { require_order(name, eval.start_ns, eval.end_ns); }
};

template <>
struct Kind<Note> {
  static constexpr std::string_view name = "note";
  static void members(auto& visit, auto& note) {
    visit("level", note.level);
    visit("text", note.text);
  }
  static void check(const Note& note) {
    if (note.level != "info" && note.level != "warning") refuse(name, "level", "must be \"info\" or \"warning\"");
  }
};

template <>
struct Kind<Failure> {
  static constexpr std::string_view name = "error";
  static void members(auto& visit, auto& failure) {
    visit("kind", failure.kind);
    visit("message", failure.message);
    visit("next_step", failure.next_step);
  }
  static void check(const Failure& failure) {
    if (failure.message.empty()) refuse(name, "message", "is empty");
  }
};

template <>
struct Kind<Done> : Unchecked {
  static constexpr std::string_view name = "done";
  static void members(auto& visit, auto& done) {
    visit("steps", done.steps);
    visit("units", done.units);
    visit("reason", done.reason);
  }
};

template <>
struct Kind<Order> : Unchecked {
  static constexpr std::string_view name = "order";
  static void members(auto& visit, auto& order) {
    visit("protocol", order.protocol);
    visit("recipe", order.recipe);
  }
};

template <>
struct Kind<Stop> : Unchecked {
  static constexpr std::string_view name = "stop";
  static void members(auto& visit, auto& stop) { visit("reason", stop.reason); }
};

/// Puts members into a JSON object; absent optional ones are left out.
class MemberWriter {
 public:
  explicit MemberWriter(Json& object) : object_(object) {}

  template <class Value>
  void operator()(const char* member, const Value& value) {
    object_[member] = value;
  }
  void operator()(const char* member, double value) {
    if (std::isfinite(value)) {
      object_[member] = value;
    } else {
      object_[member] = std::isnan(value) ? "nan" : "inf";
    }
  }
  template <class Value>
  void operator()(const char* member, const std::optional<Value>& value) {
    if (value) (*this)(member, *value);
  }
  void operator()(const char* member, const Json& value) { object_[member] = value.is_null() ? Json::object() : value; }
  void operator()(const char* member, const std::vector<Library>& libraries) {
    Json& list = object_[member] = Json::array();
    for (const Library& library : libraries) {
      MemberWriter writer(list.emplace_back(Json::object()));
      Kind<Library>::members(writer, library);
    }
  }

 private:
  Json& object_;
};

/// Takes members out of a JSON object, each with the type that it must have.
class MemberReader {
 public:
  MemberReader(std::string_view kind, const Json& object) : kind_(kind), object_(object) {}

  template <class Value>
  void operator()(const char* member, Value& value) {
    const auto found = object_.find(member);
    if (found == object_.end()) refuse(kind_, member, "is missing");
    read(member, *found, value);
  }
  template <class Value>
  void operator()(const char* member, std::optional<Value>& value) {
    const auto found = object_.find(member);
    if (found != object_.end()) read(member, *found, value.emplace());
  }

 private:
  void read(const char* member, const Json& json, std::int64_t& value) const {
    // Every integer of the protocol is a count, an index or a time: none is negative.
    if (!json.is_number_unsigned() ||
        json.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
      refuse(kind_, member, "must be an integer from 0 to 9223372036854775807");
    }
    value = json.get<std::int64_t>();
  }
  void read(const char* member, const Json& json, int& value) const {
    std::int64_t wide = 0;
    read(member, json, wide);
    if (wide > std::numeric_limits<int>::max()) refuse(kind_, member, "is too large");
    value = static_cast<int>(wide);
  }
  void read(const char* member, const Json& json, double& value) const {
    if (json == "nan" || json == "inf" || json == "-inf")
      throw NotFiniteError(fmt::format("{}: \"{}\" is not finite", kind_, member));
    if (!json.is_number()) refuse(kind_, member, "must be a number");
    value = json.get<double>();
  }
  void read(const char* member, const Json& json, std::string& value) const {
    if (!json.is_string()) refuse(kind_, member, "must be a text");
    value = json.get<std::string>();
  }
  void read(const char* member, const Json& json, Json& value) const {
    if (!json.is_object()) refuse(kind_, member, "must be an object");
    value = json;
  }
  void read(const char* member, const Json& json, std::map<std::string, std::string>& value) const {
    if (!json.is_object()) refuse(kind_, member, "must be an object of texts");
    for (const auto& [key, text] : json.items()) read(member, text, value[key]);
  }
  void read(const char* member, const Json& json, std::vector<Library>& value) const {
    if (!json.is_array()) refuse(kind_, member, "must be a list");
    for (const Json& item : json) {
      if (!item.is_object()) refuse(kind_, member, "must be a list of objects");
      MemberReader reader(kind_, item);
      Kind<Library>::members(reader, value.emplace_back());
    }
  }

  std::string_view kind_;
  const Json& object_;
};

template <class Variant>
std::string encode_general(const Variant& message) {
  std::string line = base::to_line(to_json(message)) + '\n';
  if (line.size() > max_line_bytes + 1) {
    throw ProtocolError(fmt::format("{}: a line of {} bytes is longer than the {} allowed", type_name(message),
                                    line.size() - 1, max_line_bytes));
  }
  return line;
}

template <class Variant>
Json json_of(const Variant& message) {
  Json object = Json::object();
  object["type"] = type_name(message);
  MemberWriter writer(object);
  std::visit([&writer]<class T>(const T& of_kind) { Kind<T>::members(writer, of_kind); }, message);
  return object;
}

template <class Variant>
std::string_view name_of(const Variant& message) {
  return std::visit([]<class T>(const T&) { return Kind<T>::name; }, message);
}

template <class T>
T read_as(const Json& object) {
  T message;
  MemberReader reader(Kind<T>::name, object);
  if constexpr (std::is_same_v<T, Hello>) {
    // A hello of another version may look otherwise; that it is another version is all one needs to know.
    reader("protocol", message.protocol);
    if (message.protocol != protocol_version) return message;
  }
  Kind<T>::members(reader, message);
  Kind<T>::check(message);
  return message;
}

/// Tries the kinds of the variant one after the other.
template <class Variant, std::size_t index = 0>
Variant read_variant(std::string_view type, const Json& object) {
  if constexpr (index == std::variant_size_v<Variant>) {
    throw ProtocolError(fmt::format("unknown type \"{}\"", type.substr(0, 64)));
  } else {
    using T = std::variant_alternative_t<index, Variant>;
    if (type == Kind<T>::name) return read_as<T>(object);
    return read_variant<Variant, index + 1>(type, object);
  }
}

template <class Variant>
Variant decode_general(std::string_view line) {
  const Json object = parse_line(line);
  const auto type = object.find("type");
  if (type == object.end() || !type->is_string()) throw ProtocolError("a line without a \"type\"");
  return read_variant<Variant>(type->template get_ref<const std::string&>(), object);
}

}  // namespace

Json parse_line(std::string_view line) {
  if (line.size() > max_line_bytes)
    throw ProtocolError(fmt::format("a line of {} bytes is longer than the {} allowed", line.size(), max_line_bytes));
  try {
    Json object = base::parse_json(line, "line");
    if (!object.is_object()) throw ProtocolError("a line that is not a JSON object");
    return object;
  } catch (const base::Error& error) {
    for (const std::string_view word : {"NaN", "Infinity"}) {
      if (line.find(word) != std::string_view::npos)
        throw NotFiniteError(fmt::format("a line with {}, which is no JSON number", word));
    }
    throw ProtocolError(error.what());
  }
}

std::string encode(const Event& event) {
  const Step* step = std::get_if<Step>(&event);
  return step != nullptr ? encode_step(*step) : encode_general(event);
}

std::string encode(const Command& command) { return encode_general(command); }

Json to_json(const Event& event) { return json_of(event); }

Json to_json(const Command& command) { return json_of(command); }

Event decode_event(std::string_view line) {
  if (const std::optional<Step> step = decode_canonical_step(line)) return *step;
  return decode_general<Event>(line);
}

Command decode_command(std::string_view line) { return decode_general<Command>(line); }

std::string_view type_name(const Event& event) { return name_of(event); }

std::string_view type_name(const Command& command) { return name_of(command); }

std::vector<Libraries> in_batches(std::vector<Library> libraries) {
  constexpr std::size_t enough = max_line_bytes / 2;
  std::vector<Libraries> batches;
  std::size_t bytes = enough;
  for (Library& library : libraries) {
    // Escaping may lengthen a path, hence the generous bound.
    const std::size_t size = base::to_line(Json(library.path)).size() + library.sha256.size() + 32;
    if (bytes + size > enough) {
      batches.emplace_back();
      bytes = 0;
    }
    bytes += size;
    batches.back().libraries.push_back(std::move(library));
  }
  return batches;
}

}  // namespace etalon::wire
