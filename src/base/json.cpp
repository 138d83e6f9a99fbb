// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <set>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"

namespace etalon::base {

namespace {

struct Guard {
  const std::string& place;
  std::size_t max_depth;
  std::vector<std::set<std::string>> keys;  // of each open object

  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (static_cast<std::size_t>(depth) >= max_depth)
        throw Error(ExitCode::usage, fmt::format("{}: nested deeper than {} levels", place, max_depth));
    }
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(parsed.get<std::string>()).second)
      throw Error(ExitCode::usage,
                  fmt::format("{}: the key \"{}\" appears twice in one object", place, parsed.get<std::string>()));
    return true;
  }
};

}  // namespace

Json parse_json(std::string_view text, const std::string& place, std::size_t max_depth) {
  Guard guard{place, max_depth, {}};
  try {
    return Json::parse(text.begin(), text.end(), std::ref(guard));
  } catch (const nlohmann::json::parse_error& error) {
    throw Error(ExitCode::usage, fmt::format("{}: not valid JSON at byte {}", place, error.byte),
                "check that the file is complete and was not edited by hand");
  } catch (const nlohmann::json::exception& error) {
    throw Error(ExitCode::usage, fmt::format("{}: not valid JSON: {}", place, error.what()));
  }
}

std::string to_line(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string to_document(const Json& value) { return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace etalon::base
