// SPDX-License-Identifier: Apache-2.0
// The names of verdicts, as they stand in every dossier.
#include "measure/recording.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace etalon::measure {
namespace {

constexpr std::array<std::pair<Verdict, std::string_view>, 9> verdict_names{{
    {Verdict::steady, "steady"},
    {Verdict::drifting, "drifting"},
    {Verdict::no_steady_state, "no steady state"},
    {Verdict::throttled, "throttled"},
    {Verdict::ungated, "ungated"},
    {Verdict::interrupted, "interrupted"},
    {Verdict::refused, "refused"},
    {Verdict::failed, "failed"},
    {Verdict::invalid, "invalid"},
}};

}  // namespace

std::string_view to_text(Verdict verdict) {
  for (const auto& [value, name] : verdict_names) {
    if (value == verdict) return name;
  }
  return "unknown";
}

Verdict verdict_from_text(std::string_view text) {
  for (const auto& [value, name] : verdict_names) {
    if (name == text) return value;
  }
  throw base::Error(base::ExitCode::verification_failed,
                    fmt::format("\"{}\" is no verdict", base::printable(text, 100)),
                    "the dossier was written by another version, or edited");
}

}  // namespace etalon::measure
