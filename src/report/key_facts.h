// SPDX-License-Identifier: Apache-2.0
// What was measured, on what, with what and how long, one line each.
#pragma once

#include <string>

#include "report/document.h"
#include "report/launch_series.h"

namespace etalon::report {

KeyFacts key_facts(const Material& material);

/// A captured fact of the machine as a person reads it; empty when it is not known.
std::string machine_fact(const dossier::Dossier& dossier, const std::string& name);

/// The same as a number; nothing when it is not known or no number.
std::optional<double> machine_number(const dossier::Dossier& dossier, const std::string& name);

}  // namespace etalon::report
