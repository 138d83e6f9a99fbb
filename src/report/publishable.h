// SPDX-License-Identifier: Apache-2.0
// May the value be published? Each reason against it is a sentence.
#pragma once

#include <string>
#include <vector>

#include "dossier/dossier.h"

namespace etalon::report {

/// Launches that a published value rests on at least: the first may be a lucky one.
inline constexpr std::size_t launches_to_publish = 3;

/// None: it may be published.
std::vector<std::string> objections_to_publishing(const dossier::Dossier& dossier);

}  // namespace etalon::report
