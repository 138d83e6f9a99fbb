// SPDX-License-Identifier: Apache-2.0
// WRK-01: is the program there that shall train?
#include <unistd.h>

#include <fmt/format.h>

#include "preflight/checks/catalog.h"

namespace etalon::preflight {

namespace {

Finding look_at_worker_program(const Context& context) {
  Finding finding{.level = Level::fail,
                  .reason = "the native engine is the program etalon-torch",
                  .remedy = "build it with ./bootstrap build, or name it in ETALON_WORKER"};
  std::error_code error;
  const std::string path = context.worker.string();
  if (path.empty()) {
    finding.evidence = "etalon-torch was found neither beside etalon nor in PATH";
  } else if (!std::filesystem::is_regular_file(context.worker, error)) {
    finding.evidence = fmt::format("{} is not a file", path);
  } else if (::access(path.c_str(), X_OK) != 0) {
    finding.evidence = fmt::format("{} may not be executed", path);
    finding.remedy = fmt::format("chmod +x '{}'", path);
  } else {
    finding.level = Level::pass;
    finding.evidence = path;
    finding.remedy.clear();
  }
  return finding;
}

}  // namespace

Check make_worker_program() { return {"WRK-01", "the worker is there", look_at_worker_program}; }

}  // namespace etalon::preflight
