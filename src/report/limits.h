// SPDX-License-Identifier: Apache-2.0
// What may hold a run back: one small rule each, which claims no more than the dossier shows.
#pragma once

#include <string>
#include <vector>

#include "report/launch_series.h"

namespace etalon::report {

enum class Bearing { limits, does_not, not_known };

struct Limit {
  std::string what;  ///< "waiting between steps"
  Bearing bearing = Bearing::not_known;
  std::string evidence;
};

/// Every rule that applies to the run.
std::vector<Limit> find_limits(const Material& material);

}  // namespace etalon::report
