// SPDX-License-Identifier: Apache-2.0
// A dossier read back: what reports, comparisons and verify see. Needs nothing but the directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "measure/recording.h"
#include "recipe/resolve.h"
#include "statistics/interval.h"

namespace etalon::dossier {

struct HeadlineValue {
  std::string name;                    ///< "tokens_per_second"
  std::string unit;                    ///< "tokens/s"
  std::string meaning;
  statistics::Estimate estimate;
  std::string method;                  ///< how value and interval were computed, in words
  std::string source;                  ///< the files it is recomputed from
};

struct LaunchRecord {
  std::int64_t index = 1;
  measure::LaunchOutcome outcome;
  std::filesystem::path folder;        ///< launches/1
};

struct Dossier {
  std::filesystem::path folder;
  base::Json document;                 ///< dossier.json
  base::Json environment;
  recipe::ResolvedRecipe recipe;
  bool sealed = false;                 ///< the manifest exists
  measure::Verdict verdict = measure::Verdict::interrupted;
  std::string reason;
  std::vector<LaunchRecord> launches;
  std::vector<HeadlineValue> headline;
};

/// Throws base::Error(verification_failed) saying what is missing or malformed, and where.
Dossier load(const std::filesystem::path& folder);

/// Evaluations recorded by the worker in one launch.
struct EvalRecord { std::int64_t step; std::int64_t start_ns; std::int64_t end_ns; std::int64_t units; double loss; std::string name; };
std::vector<EvalRecord> read_evals(const std::filesystem::path& launch_folder);

/// The headline from the raw files of the launches, given their windows: used once by the writer and again by verify.
std::vector<HeadlineValue> compute_headline(const std::filesystem::path& folder, const recipe::Recipe& recipe,
                                            const std::vector<LaunchRecord>& launches);

base::Json to_json(const HeadlineValue& value);

}  // namespace etalon::dossier
