// SPDX-License-Identifier: Apache-2.0
// The stage that pipeline.cpp calls.
#include "measure/measure.h"

#include "measure/measurement.h"

namespace etalon::measure {

LaunchOutcome measure(Session& session) { return Measurement(session).run(); }

}  // namespace etalon::measure
