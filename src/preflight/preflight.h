// SPDX-License-Identifier: Apache-2.0
// May it run? Each check looks at recipe and machine and gives a verdict with its evidence and, where it helps, a remedy.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "machine/machine.h"
#include "recipe/resolve.h"

namespace etalon::preflight {

enum class Level { pass, info, warn, fail, not_checked };
std::string_view to_text(Level level);

struct Finding {
  std::string id = {};  ///< "OUT-01"
  std::string title = {};
  Level level = Level::not_checked;
  std::string evidence = {};  ///< what was found
  std::string reason = {};    ///< why it matters; for not_checked: why not
  std::string remedy = {};    ///< what to type; root's work is printed, never done
};

struct Context {
  const recipe::Recipe& recipe;
  const machine::Machine& machine;
  std::filesystem::path output;  ///< the dossier to be made
  std::filesystem::path worker;  ///< empty when none was found
};

struct Preflight {
  std::vector<Finding> findings;
  bool forbids_run() const;
};

/// Runs every check of the catalogue. To be called before the dossier is made: OUT-01 fails for a place that exists.
Preflight check(const Context& context);
/// Ids and titles, for `etalon list checks`.
std::vector<std::pair<std::string, std::string>> list_checks();
base::Json to_json(const Preflight& preflight);

/// Duration and size of a run. `most_seconds` counts every launch to its cap and its start-up to the deadline; `disk_bytes`
/// is an upper bound too. What they assume stands in expectation.cpp.
struct Expectation {
  double fewest_seconds = 0;
  double most_seconds = 0;
  double disk_bytes = 0;
};
Expectation expect(const recipe::Recipe& recipe);

/// Every check of the catalogue: id and title, for `etalon list checks`.
std::vector<std::pair<std::string, std::string>> list_checks();

}  // namespace etalon::preflight
