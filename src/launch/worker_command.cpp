// SPDX-License-Identifier: Apache-2.0
// The engines, one line each: how a worker of that engine is started, or why it cannot be.
#include "launch/worker_command.h"

#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/error.h"
#include "base/paths.h"
#include "launch/program.h"

namespace etalon::launch {
namespace {

constexpr std::string_view native_worker_name = "etalon-torch";

using Configured = std::optional<std::filesystem::path>;

struct Engine {
  std::string_view name;
  Command (*command)(const recipe::Recipe&, const Configured&);  ///< null: this version does not have it
  std::string_view why_not;
};

Command native_command(const recipe::Recipe&, const Configured& configured) {
  Command command;
  command.program = find_native_worker(configured);
  return command;
}

constexpr std::array engines{
    Engine{"native", native_command, ""},
    Engine{"eager", nullptr, "the Python reference engines are not part of this version"},
    Engine{"compile", nullptr, "the Python reference engines are not part of this version"},
    Engine{"command", nullptr, "trainers of one's own are not started by this version"},
};

const Engine& engine_of(const recipe::Recipe& recipe) {
  for (const Engine& engine : engines) {
    if (engine.name != recipe.engine.name) continue;
    if (engine.command != nullptr) return engine;
    throw base::Error(base::ExitCode::usage, fmt::format("engine.name = \"{}\": {}", engine.name, engine.why_not),
                      "use engine.name = \"native\"");
  }
  throw base::Error(base::ExitCode::usage, fmt::format("engine.name = \"{}\" is no engine", recipe.engine.name),
                    "use engine.name = \"native\"");
}

void refuse_what_is_not_launched(const recipe::Recipe& recipe) {
  if (recipe.launch.gpus > 1) {
    throw base::Error(base::ExitCode::usage,
                      fmt::format("launch.gpus = {}: this version trains on one GPU", recipe.launch.gpus),
                      "set launch.gpus = 1");
  }
  if (recipe.launch.launcher != "local") {
    throw base::Error(
        base::ExitCode::usage,
        fmt::format("launch.launcher = \"{}\": this version starts workers itself", recipe.launch.launcher),
        "set launch.launcher = \"local\"");
  }
}

}  // namespace

std::filesystem::path find_native_worker(const std::optional<std::filesystem::path>& configured) {
  if (configured) return find_program(*configured);
  std::error_code ignored;
  const std::filesystem::path beside = base::executable_path().parent_path() / native_worker_name;
  if (std::filesystem::is_regular_file(beside, ignored)) return beside;
  const std::filesystem::path in_path = search_path(native_worker_name);
  if (!in_path.empty()) return in_path;
  throw base::Error(base::ExitCode::worker_failed,
                    fmt::format("the native worker {} is neither beside {} nor in PATH", native_worker_name,
                                base::executable_path().string()),
                    "build it with `./bootstrap build`, or name it in the configuration (worker) or in ETALON_WORKER");
}

Command worker_command(const recipe::Recipe& recipe, const std::filesystem::path& socket,
                       const std::optional<std::filesystem::path>& configured) {
  const Engine& engine = engine_of(recipe);
  refuse_what_is_not_launched(recipe);
  Command command = engine.command(recipe, configured);
  command.set.emplace_back("ETALON_SOCKET", socket.string());
  // One rank, whatever job this shell may itself belong to.
  command.set.emplace_back("RANK", "0");
  command.set.emplace_back("LOCAL_RANK", "0");
  command.set.emplace_back("WORLD_SIZE", "1");
  if (recipe.engine.threads > 0) {
    for (const char* variable : {"OMP_NUM_THREADS", "MKL_NUM_THREADS"}) {
      command.set.emplace_back(variable, std::to_string(recipe.engine.threads));
    }
  }
  return command;
}

}  // namespace etalon::launch
