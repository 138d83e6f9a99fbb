// SPDX-License-Identifier: Apache-2.0
// The columns of the raw series, described once: the header of the CSV and its description in dossier.json come from here.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "measure/recording.h"

namespace etalon::dossier {

struct Column {
  std::string name;  ///< with its unit last
  std::string unit;  ///< "" for plain counts
  std::string meaning;
  std::string source;  ///< who measured it
};

/// Columns of steps.csv, in order.
const std::vector<Column>& steps_columns();

/// Columns of telemetry.csv: the time, then every channel that has values.
std::vector<Column> telemetry_columns(const std::vector<measure::Channel>& channels);

/// "rank,index,…\n"
std::string header_line(const std::vector<Column>& columns);

base::Json to_json(const std::vector<Column>& columns);
std::vector<Column> columns_from_json(const base::Json& json);

}  // namespace etalon::dossier
