// SPDX-License-Identifier: Apache-2.0
// Facts and their three ways of being absent.
#include "machine/fact.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace etalon::machine {

std::string_view to_text(FactState state) {
  switch (state) {
    case FactState::value:
      return "value";
    case FactState::not_supported:
      return "not supported";
    case FactState::not_permitted:
      return "not permitted";
    case FactState::unknown:
      return "unknown";
  }
  return "unknown";
}

FactState state_of_errno(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
    case ENODEV:
    case ENXIO:
    case ENOSYS:
    case EOPNOTSUPP:
      return FactState::not_supported;
    case EACCES:
    case EPERM:
      return FactState::not_permitted;
    default:
      return FactState::unknown;
  }
}

std::string words_of_errno(int error_number) {
  return fmt::format("{} (errno {})", std::generic_category().message(error_number), error_number);
}

Fact Fact::known(std::string name, std::string meaning, std::string origin, base::Json value, std::string unit) {
  return {
      std::move(name), std::move(meaning), std::move(origin), FactState::value, std::move(value), std::move(unit), {}};
}

Fact Fact::missing(std::string name, std::string meaning, std::string origin, FactState state, std::string reason) {
  return {std::move(name), std::move(meaning), std::move(origin), state, nullptr, {}, std::move(reason)};
}

Fact Fact::unreadable(std::string name, std::string meaning, std::string origin, int error_number) {
  return missing(std::move(name), std::move(meaning), std::move(origin), state_of_errno(error_number),
                 words_of_errno(error_number));
}

base::Json to_json(const Fact& fact) {
  base::Json json = {
      {"name", fact.name}, {"meaning", fact.meaning}, {"origin", fact.origin}, {"state", to_text(fact.state)}};
  if (fact.state != FactState::value) {
    json["reason"] = fact.reason;
    return json;
  }
  json["value"] = fact.value;
  if (!fact.unit.empty()) json["unit"] = fact.unit;
  return json;
}

}  // namespace etalon::machine
