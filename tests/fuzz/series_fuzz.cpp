// SPDX-License-Identifier: Apache-2.0
// Any bytes as steps.csv: a finding or an error that names the line, never more.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

#include "base/error.h"
#include "dossier/verify_series.h"
#include "dossier/window.h"

namespace {

/// A file in memory under a path that readers can open.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : descriptor_(::memfd_create("steps", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || ::write(descriptor_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace etalon;
  const MemoryFile file(data, size);
  dossier::LaunchEvents events;
  events.world_size = 1;
  events.ranks[0].units_per_step = 1000;
  events.evals.push_back({1, 50, 60, 1, 1.0, "held-out", 0});
  std::vector<dossier::Finding> findings;
  try {
    dossier::check_steps(file.path(), "steps.csv", events, findings);
  } catch (const base::Error& error) {
    if (error.code() != base::ExitCode::verification_failed) std::abort();
  }
  if (findings.size() > 11) std::abort();  // ten rows and their rest
  try {
    const dossier::WindowSeries series = dossier::read_steps_window(file.path(), {1, 2}, events);
    if (series.steps.size() != 2 || series.end_ns < series.start_ns) std::abort();
  } catch (const base::Error& error) {
    if (error.code() != base::ExitCode::verification_failed) std::abort();
  }
  return 0;
}
