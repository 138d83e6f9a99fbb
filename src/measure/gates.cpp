// SPDX-License-Identifier: Apache-2.0
// Warm-up, window, precision, drift: each says what it found, what it allows, and why, in words that stand in the dossier.
#include "measure/gates.h"

#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "base/number.h"

namespace etalon::measure {
namespace {

constexpr double not_known = std::numeric_limits<double>::infinity();

std::string percent(double fraction) { return base::to_human(100 * fraction, 3) + " %"; }

class WarmUp : public Gate {
 public:
  explicit WarmUp(const recipe::Measure& measure) : seconds_(measure.warmup_seconds) {}
  GateState look(const Observation& seen) const override {
    return {"warm-up",
            seen.training_seconds >= seconds_,
            seen.training_seconds,
            seconds_,
            "s",
            fmt::format("{:.1f} s since the first step, {:.1f} s wanted", seen.training_seconds, seconds_)};
  }

 private:
  double seconds_;
};

class WindowLength : public Gate {
 public:
  explicit WindowLength(const recipe::Measure& measure)
      : seconds_(measure.window_seconds), batches_(measure.profile == "smoke" ? 0 : measure.fewest_batches) {}
  GateState look(const Observation& seen) const override {
    const std::size_t batches = seen.throughput ? seen.throughput->units_per_second.samples : 0;
    const bool is_open =
        seen.throughput && seen.window_seconds >= seconds_ && batches >= static_cast<std::size_t>(batches_);
    std::string reason = fmt::format("{:.1f} s measured, {:.1f} s wanted", seen.window_seconds, seconds_);
    if (batches_ > 0) reason += fmt::format("; {} batches, {} wanted", batches, batches_);
    return {"window", is_open, seen.window_seconds, seconds_, "s", reason};
  }

 private:
  double seconds_;
  std::int64_t batches_;
};

class Precision : public Gate {
 public:
  explicit Precision(const recipe::Measure& measure)
      : half_width_(measure.half_width), confidence_(measure.confidence) {}
  GateState look(const Observation& seen) const override {
    const double found = seen.throughput ? seen.throughput->units_per_second.relative_half_width() : not_known;
    const std::string in_words = std::isfinite(found) ? "±" + percent(found) : std::string("not known yet");
    return {
        "precision", found <= half_width_,
        found,       half_width_,
        "relative",  fmt::format("{:g} % interval {}, ±{} allowed", 100 * confidence_, in_words, percent(half_width_))};
  }

 private:
  double half_width_;
  double confidence_;
};

class Drift : public Gate {
 public:
  explicit Drift(const recipe::Measure& measure) : drift_(measure.drift) {}
  GateState look(const Observation& seen) const override {
    const double found = seen.drift ? std::abs(*seen.drift) : not_known;
    const std::string in_words =
        !seen.drift ? "not known yet" : percent(found) + (*seen.drift > 0 ? " slower" : " faster");
    return {"drift", found <= drift_, found,
            drift_,  "relative",      fmt::format("second half {}, {} allowed", in_words, percent(drift_))};
  }

 private:
  double drift_;
};

}  // namespace

std::vector<std::unique_ptr<Gate>> make_gates(const recipe::Measure& measure) {
  std::vector<std::unique_ptr<Gate>> gates;
  gates.push_back(std::make_unique<WarmUp>(measure));
  gates.push_back(std::make_unique<WindowLength>(measure));
  if (measure.profile == "smoke") return gates;
  gates.push_back(std::make_unique<Precision>(measure));
  gates.push_back(std::make_unique<Drift>(measure));
  return gates;
}

}  // namespace etalon::measure
