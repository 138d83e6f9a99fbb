// SPDX-License-Identifier: Apache-2.0
// Every form of a report. A new one: its file here and its line below.
#pragma once

#include <string>
#include <vector>

#include "report/document.h"
#include "report/drawings.h"

#define ETALON_FORMATS(entry) entry(html) entry(markdown) entry(json)

namespace etalon::report {

struct Format {
  std::string name;                    ///< as --format takes it, and the ending of the file: "md"
  std::string meaning;                 ///< one phrase
  bool wants_pictures_beside = false;  ///< refers to the SVG and PNG files in report-charts
  bool wants_javascript = false;       ///< holds its charts, still and interactive
  std::string (*render)(const Document&, const Drawings&) = {};
};

#define ETALON_DECLARE(name) Format make_##name##_format();
ETALON_FORMATS(ETALON_DECLARE)
#undef ETALON_DECLARE

std::vector<Format> make_formats();

/// Throws base::Error(usage) naming those there are.
Format find_format(const std::string& name);

}  // namespace etalon::report
