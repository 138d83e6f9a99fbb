// SPDX-License-Identifier: Apache-2.0
// DSK-01: is there room for the largest dossier that the recipe can make?
#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "preflight/checks/catalog.h"

namespace etalon::preflight {

namespace {

Finding look_at_disk_space(const Context& context) {
  Finding finding{.level = Level::pass, .reason = "a full disk ends the run before its result is sealed"};
  const double needed = expect(context.recipe).disk_bytes;
  try {
    const auto available = static_cast<double>(base::free_bytes(context.output));
    finding.evidence =
        fmt::format("{} free, at most {} needed", base::human_bytes(available), base::human_bytes(needed));
    if (available < 2 * needed) finding.level = Level::warn;
    if (available < needed) finding.level = Level::fail;
    if (finding.level != Level::pass) finding.remedy = "free space there, or give another place with --output";
  } catch (const base::Error& failure) {
    finding.level = Level::not_checked;
    finding.reason = failure.what();
  }
  return finding;
}

}  // namespace

Check make_disk_space() { return {"DSK-01", "the disk has room for the dossier", look_at_disk_space}; }

}  // namespace etalon::preflight
