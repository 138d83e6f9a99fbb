// SPDX-License-Identifier: Apache-2.0
// What the tests of recipes share: a recipe that gives only what it must, and the words of an expected error.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "base/error.h"
#include "machine/machine.h"
#include "recipe/resolve.h"

namespace etalon::recipe {

inline const std::string least_recipe = R"(schema = 1
[workload]
family = "llm"
model = "nano"
context = 128
[training]
micro_batch = 8
precision = "fp32"
optimizer = { lr = 3e-3 }
schedule = { total_steps = 1600 }
)";

inline machine::Machine machine_with(int gpus) {
  machine::Machine machine;
  machine.nvidia_gpus = gpus;
  return machine;
}

inline ResolvedRecipe resolve_text(const std::string& toml,
                                   const std::map<std::string, WrittenValue>& command_line = {},
                                   const std::map<std::string, WrittenValue>& configuration = {}, int gpus = 0) {
  return resolve(parse(toml, "trial", "recipes/trial.toml"), command_line, configuration, machine_with(gpus));
}

inline std::map<std::string, WrittenValue> set(std::initializer_list<std::string_view> assignments) {
  std::map<std::string, WrittenValue> values;
  for (const auto assignment : assignments) {
    auto [key, value] = parse_assignment(assignment, {"command line", "--set"});
    values.insert_or_assign(key, value);
  }
  return values;
}

/// "what happened → next step" of the usage error that `action` must throw.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.code(), base::ExitCode::usage);
    return std::string(error.what()) + " → " + error.next_step();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline std::string parse_error_of(const std::string& toml) {
  return error_of([&] { parse(toml, "trial", "recipes/trial.toml"); });
}

inline std::string resolve_error_of(const std::string& toml, std::initializer_list<std::string_view> assignments = {}) {
  return error_of([&] { resolve_text(toml, set(assignments)); });
}

}  // namespace etalon::recipe
