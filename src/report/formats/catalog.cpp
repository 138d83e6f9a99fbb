// SPDX-License-Identifier: Apache-2.0
#include "report/formats/catalog.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace etalon::report {

std::vector<Format> make_formats() {
#define ETALON_MAKE(name) make_##name##_format(),
  return {ETALON_FORMATS(ETALON_MAKE)};
#undef ETALON_MAKE
}

Format find_format(const std::string& name) {
  std::vector<std::string> names;
  for (Format& format : make_formats()) {
    if (format.name == name) return std::move(format);
    names.push_back(format.name);
  }
  throw base::Error(base::ExitCode::usage, fmt::format("a report has no form \"{}\"", base::printable(name, 60)),
                    "choose one of " + base::join(names, ", "));
}

}  // namespace etalon::report
