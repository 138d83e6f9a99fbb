// SPDX-License-Identifier: Apache-2.0
#include "dossier/evaluations.h"

#include <algorithm>

namespace etalon::dossier {

EvaluationTime::EvaluationTime(const std::vector<EvalRecord>& evals) {
  std::vector<Span> spans;
  for (const EvalRecord& eval : evals) spans.push_back({eval.start_ns, eval.end_ns});
  std::ranges::sort(spans, {}, &Span::start_ns);
  for (const Span& span : spans) {
    if (!spans_.empty() && span.start_ns <= spans_.back().end_ns) {
      spans_.back().end_ns = std::max(spans_.back().end_ns, span.end_ns);
    } else {
      spans_.push_back(span);
    }
  }
}

std::int64_t EvaluationTime::within(std::int64_t start_ns, std::int64_t end_ns) {
  while (first_ < spans_.size() && spans_[first_].end_ns <= start_ns) ++first_;
  std::int64_t overlap = 0;
  for (std::size_t i = first_; i < spans_.size() && spans_[i].start_ns < end_ns; ++i)
    overlap += std::min(spans_[i].end_ns, end_ns) - std::max(spans_[i].start_ns, start_ns);
  return overlap;
}

}  // namespace etalon::dossier
