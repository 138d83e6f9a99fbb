// SPDX-License-Identifier: Apache-2.0
// Values as the sections of a report show them.
#pragma once

#include <string>

#include "base/json.h"
#include "recipe/resolve.h"
#include "statistics/interval.h"

namespace etalon::report {

/// "12,345 tokens/s"; the unit may be empty.
std::string with_unit(double value, const std::string& unit, int significant = 5);

/// "12,300 to 12,400 (±0.4 %)", or "none" when the samples allow no interval.
std::string interval_in_words(const statistics::Estimate& estimate);

/// "recipe: nano.toml:7", "built-in".
std::string origin_in_words(const recipe::Origin& origin);

/// A captured fact's value: bytes as a size, anything else with its unit.
std::string fact_in_words(const base::Json& value, const std::string& unit);

/// A JSON value as a person reads it: texts bare, numbers grouped when they are large, lists with commas.
std::string plain(const base::Json& value);

}  // namespace etalon::report
