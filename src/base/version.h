// SPDX-License-Identifier: Apache-2.0
// What this build is: version, commit, compiler; part of `--version` and of every dossier.
#pragma once

#include <string>

namespace etalon::base {

struct Build {
  std::string version;  ///< of the VERSION file
  std::string commit;   ///< full hash, "-dirty" appended when the tree differed; "unknown" outside a checkout
  std::string compiler;
  std::string type;  ///< CMake's build type, sanitizers appended
};

const Build& build();

}  // namespace etalon::base
