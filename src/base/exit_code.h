// SPDX-License-Identifier: Apache-2.0
// The documented exit codes: scripts and CI decide by them, so a number never changes its meaning.
#pragma once

namespace etalon::base {

enum class ExitCode : int {
  ok = 0,
  internal = 1,
  usage = 2,    ///< bad command line or recipe
  refused = 3,  ///< preflight refused the run
  worker_failed = 4,
  not_steady = 5,  ///< drifting or no steady state
  verification_failed = 6,
  regressed = 7,  ///< compare --fail-on
  throttled = 8,
  invalid = 9,
  incomplete = 10,  ///< --strict found something missing
  interrupted = 130,
};

}  // namespace etalon::base
