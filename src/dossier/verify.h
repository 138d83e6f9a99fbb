// SPDX-License-Identifier: Apache-2.0
// Recomputes a dossier: hashes, structure, and every headline value from the raw series, bit for bit.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace etalon::dossier {

struct Finding {
  std::string place;  ///< "launches/1/steps.csv:1042", "dossier.json: headline.tokens_per_second"
  std::string problem;
};

struct Verification {
  enum class State { whole, interrupted, deviating };
  State state = State::deviating;
  std::vector<std::string> checked;  ///< what was looked at, in words, with counts
  std::vector<std::string> remarks;  ///< e.g. a torn last line of an interrupted series
  std::vector<Finding> findings;     ///< empty unless deviating
};

/// Never throws for what is wrong with the dossier; throws base::Error(usage) when `folder` is no dossier at all.
Verification verify(const std::filesystem::path& folder);

}  // namespace etalon::dossier
