// SPDX-License-Identifier: Apache-2.0
// What somebody watching sees: phase, rate of the last seconds, time that is probably left.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "measure/judge.h"
#include "measure/measure.h"

namespace etalon::measure {

class ProgressMeter {
 public:
  ProgressMeter(const recipe::Recipe& recipe, std::int64_t start_ns) : recipe_(recipe), start_ns_(start_ns) {}

  void add(const MergedStep& step);
  void add(const wire::Step& step);
  void add(const wire::Config& config) { unit_ = config.unit; }
  void add(const wire::Phase& phase) { evaluating_ = phase.name == "eval"; }
  void ending() { ending_ = true; }

  Progress at(std::int64_t now_ns, const Judge& judge);

 private:
  std::string phase(const Judge& judge) const;
  std::optional<double> recent_rate();
  std::optional<double> remaining_seconds(const Judge& judge, std::optional<double> rate) const;

  struct Moment {
    std::int64_t end_ns;
    std::int64_t units;
  };
  const recipe::Recipe& recipe_;
  std::int64_t start_ns_;
  std::string unit_;
  std::optional<double> loss_;
  bool evaluating_ = false;
  bool ending_ = false;
  std::int64_t units_ = 0;
  std::int64_t last_end_ns_ = 0;
  std::deque<Moment> moments_;  // at each look, the last seconds
};

}  // namespace etalon::measure
