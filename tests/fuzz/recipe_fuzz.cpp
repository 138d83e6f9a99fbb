// SPDX-License-Identifier: Apache-2.0
// Whatever a recipe or an assignment holds: it is read, or refused by base::Error; what was resolved reads back the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "recipe/resolve.h"

namespace {

using namespace etalon;

void resolve_and_return(const recipe::RequestedRecipe& requested,
                        const std::map<std::string, recipe::WrittenValue>& command_line, int gpus) {
  machine::Machine machine;
  machine.nvidia_gpus = gpus;
  try {
    const base::Json json = recipe::to_json(recipe::resolve(requested, command_line, {}, machine));
    const std::string line = base::to_line(json);
    if (base::to_line(recipe::to_json(recipe::resolved_from_json(base::parse_json(line, "fuzz")))) != line)
      std::abort();
  } catch (const base::Error& error) {
    if (error.code() != base::ExitCode::usage) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::map<std::string, recipe::WrittenValue> command_line;
  try {
    command_line.insert(recipe::parse_assignment(text.substr(0, text.find('\n')), {"command line", "--set"}));
  } catch (const base::Error&) {
  }
  try {
    const recipe::RequestedRecipe requested = recipe::parse(text, "fuzz", "fuzz.toml");
    resolve_and_return(requested, {}, 0);
    resolve_and_return(requested, command_line, 1);
  } catch (const base::Error& error) {
    if (error.code() != base::ExitCode::usage) std::abort();
  }
  return 0;
}
