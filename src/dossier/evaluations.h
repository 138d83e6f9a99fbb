// SPDX-License-Identifier: Apache-2.0
// The time of evaluations, which is taken out of the steps into which it falls; overlaps of several ranks count once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dossier/dossier.h"

namespace etalon::dossier {

class EvaluationTime {
 public:
  explicit EvaluationTime(const std::vector<EvalRecord>& evals);

  /// Nanoseconds of evaluations inside a range; ranges must be asked for in growing order.
  std::int64_t within(std::int64_t start_ns, std::int64_t end_ns);

 private:
  struct Span {
    std::int64_t start_ns;
    std::int64_t end_ns;
  };
  std::vector<Span> spans_;  // apart from each other, by start
  std::size_t first_ = 0;
};

}  // namespace etalon::dossier
