// SPDX-License-Identifier: Apache-2.0
// PATH is searched before fork(): in the child nothing may allocate, and an error found here has better words.
#include "launch/program.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace etalon::launch {
namespace {

bool is_executable_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

base::Error cannot_start(const std::filesystem::path& program, const std::string& why, const std::string& next_step) {
  return base::Error(base::ExitCode::worker_failed, fmt::format("cannot start {}: {}", program.string(), why),
                     next_step);
}

}  // namespace

std::filesystem::path search_path(std::string_view name) {
  const char* value = std::getenv("PATH");
  for (const std::string_view folder : base::split(value == nullptr ? "/usr/local/bin:/usr/bin:/bin" : value, ':')) {
    const std::filesystem::path candidate = std::filesystem::path(folder.empty() ? "." : folder) / name;
    if (is_executable_file(candidate)) return candidate;
  }
  return {};
}

std::filesystem::path find_program(const std::filesystem::path& program) {
  if (program.empty()) throw cannot_start("the worker", "no program is named", "name one in the recipe");
  if (!program.has_parent_path()) {
    const std::filesystem::path found = search_path(program.native());
    if (found.empty())
      throw cannot_start(program, "no executable of that name in PATH", "install it, or give its full path");
    return found;
  }
  std::error_code error;
  const auto status = std::filesystem::status(program, error);
  if (!std::filesystem::exists(status)) throw cannot_start(program, "no such file", "check the path");
  if (std::filesystem::is_directory(status)) throw cannot_start(program, "it is a folder", "name the program in it");
  if (!is_executable_file(program))
    throw cannot_start(program, "it is not executable", fmt::format("chmod +x {}", program.string()));
  return program;
}

std::vector<std::string> environment_of(const Command& command) {
  const auto is_changed = [&command](std::string_view entry) {
    const std::string_view name = entry.substr(0, entry.find('='));
    const bool is_set =
        std::any_of(command.set.begin(), command.set.end(), [&](const auto& pair) { return pair.first == name; });
    return is_set || std::find(command.unset.begin(), command.unset.end(), name) != command.unset.end();
  };
  std::vector<std::string> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (!is_changed(*entry)) entries.emplace_back(*entry);
  }
  for (const auto& [name, value] : command.set) entries.push_back(fmt::format("{}={}", name, value));
  return entries;
}

}  // namespace etalon::launch
