// SPDX-License-Identifier: Apache-2.0
// What one rank has said so far, held against what an honest worker can say next (docs/protocol.md, "What ends a launch").
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wire/event.h"

namespace etalon::measure {

class RankLedger {
 public:
  /// Steps may not begin before `earliest_ns` (the start of the launch) nor end after the moment they arrive.
  RankLedger(int world_size, std::int64_t earliest_ns) : world_size_(world_size), earliest_ns_(earliest_ns) {}

  /// Throws wire::ProtocolError saying what is wrong; the event then counts as not said.
  void accept(const wire::Event& event, std::int64_t now_ns);

  bool greeted() const { return hello_.has_value(); }
  int rank() const { return hello_ ? hello_->rank : 0; }
  const std::optional<wire::Hello>& hello() const { return hello_; }
  const std::optional<wire::Config>& config() const { return config_; }
  const std::optional<wire::Failure>& failure() const { return failure_; }
  const std::optional<wire::Done>& done() const { return done_; }
  const std::string& phase() const { return phase_; }
  std::int64_t steps() const { return steps_; }
  std::int64_t units() const { return units_; }

 private:
  void take(const wire::Hello& hello);
  void take(const wire::Libraries&) {}
  void take(const wire::Config& config);
  void take(const wire::Phase& phase) { phase_ = phase.name; }
  void take(const wire::Step& step);
  void take(const wire::Memory&) {}
  void take(const wire::Eval& eval);
  void take(const wire::Note&) {}
  void take(const wire::Failure& failure) { failure_ = failure; }
  void take(const wire::Done& done);
  void check_times(const char* what, std::int64_t start_ns, std::int64_t end_ns) const;

  int world_size_;
  std::int64_t earliest_ns_;
  std::int64_t now_ns_ = 0;
  std::optional<wire::Hello> hello_;
  std::optional<wire::Config> config_;
  std::optional<wire::Failure> failure_;
  std::optional<wire::Done> done_;
  std::string phase_;
  std::int64_t steps_ = 0;
  std::int64_t units_ = 0;
  std::int64_t last_start_ns_ = 0;
  std::int64_t last_end_ns_ = 0;
};

}  // namespace etalon::measure
