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
  std::string name;  ///< "tokens_per_second"
  std::string unit;  ///< "tokens/s"
  std::string meaning;
  statistics::Estimate estimate;
  std::string method;  ///< how value and interval were computed, in words
  std::string source;  ///< the files it is recomputed from
};

struct LaunchRecord {
  std::int64_t index = 1;
  measure::LaunchOutcome outcome;
  std::filesystem::path folder;  ///< launches/1
  bool ended = true;             ///< false: the run was cut off before the outcome was known
};

struct Dossier {
  std::filesystem::path folder;
  base::Json document;  ///< dossier.json
  base::Json environment;
  base::Json preflight;  ///< preflight.json; null when there is none
  recipe::ResolvedRecipe recipe;
  bool sealed = false;  ///< the manifest exists
  measure::Verdict verdict = measure::Verdict::interrupted;
  std::string reason;
  std::vector<LaunchRecord> launches;
  std::vector<HeadlineValue> headline;
};

/// Throws base::Error(verification_failed) saying what is missing or malformed, and where.
Dossier load(const std::filesystem::path& folder);

/// One evaluation on held-out data.
struct EvalRecord {
  std::int64_t step = 0;  ///< optimiser steps done before it
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t units = 0;
  double loss = 0;   ///< nats per unit
  std::string name;  ///< "held-out"
  int rank = 0;
};

/// Evaluations recorded by the worker in one launch.
std::vector<EvalRecord> read_evals(const std::filesystem::path& launch_folder);

/// The headline from the raw files of the launches, given their windows: used once by the writer and again by verify.
/// Throws base::Error(verification_failed) when the files do not bear the windows.
std::vector<HeadlineValue> compute_headline(const std::filesystem::path& folder, const recipe::Recipe& recipe,
                                            const std::vector<LaunchRecord>& launches);

base::Json to_json(const HeadlineValue& value);
HeadlineValue headline_value_from_json(const base::Json& json);

}  // namespace etalon::dossier
