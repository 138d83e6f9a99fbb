// SPDX-License-Identifier: Apache-2.0
// dossier.json as a type: what it says while a run goes on and what it says when it is sealed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "dossier/dossier.h"

namespace etalon::dossier {

struct Document {
  std::string id;                         ///< random, 32 hexadecimal digits
  std::string created;                    ///< UTC
  std::int64_t created_monotonic_ns = 0;  ///< the same moment in the time base of the series
  std::string title;
  std::string recipe;                       ///< its name
  std::optional<std::string> sealed;        ///< UTC; absent while the run goes on
  std::optional<measure::Verdict> verdict;  ///< absent while the run goes on
  std::string reason;
  std::vector<HeadlineValue> headline;
  std::vector<LaunchRecord> launches;
};

base::Json to_json(const Document& document);

/// `json` has passed schemas/dossier.schema.json.
Document document_from_json(const base::Json& json);

}  // namespace etalon::dossier
