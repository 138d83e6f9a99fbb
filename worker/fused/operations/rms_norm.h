// SPDX-License-Identifier: Apache-2.0
// Normalisation of the residual stream, together with the addition that comes before it.
#pragma once

#include <string>

#include "worker/fused/graph.h"

namespace etalon::fused {

struct Normalised {
  ValueId stream = no_value;  ///< x, or x + delta
  ValueId normal = no_value;
};

/// `delta` may be no_value. Names are NAME.stream, NAME.normal and NAME.inverse.
Normalised rms_norm(Graph& graph, const std::string& name, ValueId x, ValueId delta, ValueId weight, double epsilon);

}  // namespace etalon::fused
