// SPDX-License-Identifier: Apache-2.0
#include "report/values.h"

#include <cmath>

#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"

namespace etalon::report {

std::string with_unit(double value, const std::string& unit, int significant) {
  const std::string number = std::isfinite(value) ? base::to_human(value, significant) : "no number yet";
  return unit.empty() || !std::isfinite(value) ? number : number + " " + unit;
}

std::string interval_in_words(const statistics::Estimate& estimate) {
  if (estimate.samples < 2) return "none";
  return fmt::format("{} to {} (±{} %)", base::to_human(estimate.low, 5), base::to_human(estimate.high, 5),
                     base::to_human(100 * estimate.relative_half_width(), 2));
}

std::string origin_in_words(const recipe::Origin& origin) {
  return origin.place.empty() ? origin.kind : origin.kind + ": " + origin.place;
}

std::string fact_in_words(const base::Json& value, const std::string& unit) {
  if (unit == "bytes" && value.is_number()) return base::human_bytes(value.get<double>());
  return plain(value) + (unit.empty() ? "" : " " + unit);
}

std::string plain(const base::Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.dump();
  if (value.is_number()) return base::to_text(value.get<double>());
  if (!value.is_array()) return base::to_line(value);
  std::string text;
  for (const base::Json& element : value) text += (text.empty() ? "" : ", ") + plain(element);
  return text;
}

}  // namespace etalon::report
