// SPDX-License-Identifier: Apache-2.0
// OUT-01: can the dossier be made and written where it shall stand? Found out by writing, since permissions, quotas and
// read-only mounts are known for certain only to the kernel.
#include <stdlib.h>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "preflight/checks/catalog.h"

namespace etalon::preflight {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view why =
    "a run that cannot keep what it measures is lost, and an older dossier is never overwritten";

fs::path nearest_existing(const fs::path& path) {
  std::error_code error;
  fs::path folder = fs::absolute(path, error).lexically_normal();
  while (!fs::exists(fs::symlink_status(folder, error)) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

/// Makes a folder with a file in `parent` and removes both again; throws base::Error.
void try_to_write(const fs::path& parent) {
  std::string probe = (parent / ".etalon-probe-XXXXXX").string();
  if (::mkdtemp(probe.data()) == nullptr) throw base::system_error("make a folder in", parent.string(), errno);
  struct Removal {
    fs::path folder;
    ~Removal() {
      std::error_code ignored;
      fs::remove_all(folder, ignored);
    }
  } removal{probe};
  base::AppendFile file(fs::path(probe) / "probe");
  file.append(std::string(4096, '.'));
  file.sync();
  file.close();
}

Finding look_at_output_place(const Context& context) {
  Finding finding{.level = Level::pass, .reason = std::string(why)};
  const fs::path existing = nearest_existing(context.output);
  std::error_code error;
  if (fs::exists(fs::symlink_status(context.output, error))) {
    finding.level = Level::fail;
    finding.evidence = fmt::format("{} exists already", context.output.string());
    finding.remedy = "give another place with --output, or remove the old dossier yourself";
    return finding;
  }
  if (!fs::is_directory(existing, error)) {
    finding.level = Level::fail;
    finding.evidence = fmt::format("{} is not a folder", existing.string());
    finding.remedy = "give another place with --output";
    return finding;
  }
  try {
    try_to_write(existing);
    finding.evidence = fmt::format("a file was written in {}", existing.string());
  } catch (const base::Error& failure) {
    finding.level = Level::fail;
    finding.evidence = failure.what();
    finding.remedy =
        failure.next_step().empty() ? "give another place with --output" : failure.next_step() + " (--output)";
  }
  return finding;
}

}  // namespace

Check make_output_place() { return {"OUT-01", "the dossier can be written", look_at_output_place}; }

}  // namespace etalon::preflight
