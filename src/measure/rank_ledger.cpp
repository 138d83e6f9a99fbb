// SPDX-License-Identifier: Apache-2.0
// The order and the arithmetic of one rank's events.
#include "measure/rank_ledger.h"

#include <fmt/format.h>

namespace etalon::measure {
namespace {

using wire::ProtocolError;

/// A worker reads the clock, we read it a moment later on the same machine: a second is generous.
constexpr std::int64_t clock_tolerance_ns = 1'000'000'000;
/// More than any step can do; keeps the sums far from overflow.
constexpr std::int64_t most_units_per_step = std::int64_t{1} << 48;
constexpr std::int64_t most_units = std::int64_t{1} << 62;

}  // namespace

void RankLedger::accept(const wire::Event& event, std::int64_t now_ns) {
  now_ns_ = now_ns;
  const bool is_hello = std::holds_alternative<wire::Hello>(event);
  if (!greeted() && !is_hello) throw ProtocolError(fmt::format("\"{}\" came before \"hello\"", wire::type_name(event)));
  if (done_) throw ProtocolError(fmt::format("\"{}\" came after \"done\"", wire::type_name(event)));
  std::visit([this](const auto& of_kind) { take(of_kind); }, event);
}

void RankLedger::take(const wire::Hello& hello) {
  if (hello.protocol != wire::protocol_version) {
    throw ProtocolError(fmt::format("the worker speaks protocol version {}, this étalon speaks version {}",
                                    hello.protocol, wire::protocol_version));
  }
  if (hello_) throw ProtocolError(fmt::format("rank {} said \"hello\" twice", hello.rank));
  if (hello.world_size != world_size_) {
    throw ProtocolError(fmt::format("\"world_size\" is {}, but {} rank{} started", hello.world_size, world_size_,
                                    world_size_ == 1 ? " was" : "s were"));
  }
  hello_ = hello;
}

void RankLedger::take(const wire::Config& config) {
  if (config_) throw ProtocolError("\"config\" came twice");
  if (config.units_per_step > most_units_per_step)
    throw ProtocolError("\"units_per_step\" is larger than any step can be");
  config_ = config;
}

void RankLedger::check_times(const char* what, std::int64_t start_ns, std::int64_t end_ns) const {
  if (start_ns < earliest_ns_ - clock_tolerance_ns || end_ns > now_ns_ + clock_tolerance_ns) {
    throw ProtocolError(
        fmt::format("{}: its times ({} to {} ns) do not lie between the start of the launch ({}) and now ({}): they "
                    "must be CLOCK_MONOTONIC",
                    what, start_ns, end_ns, earliest_ns_, now_ns_));
  }
}

void RankLedger::take(const wire::Step& step) {
  if (!config_) throw ProtocolError("\"step\" came before \"config\"");
  if (step.index != steps_) throw ProtocolError(fmt::format("step {} came where step {} was due", step.index, steps_));
  check_times("step", step.start_ns, step.end_ns);
  if (step.start_ns < last_start_ns_ || step.end_ns < last_end_ns_) {
    throw ProtocolError(fmt::format("time goes backwards: step {} ({} to {} ns) follows one from {} to {} ns",
                                    step.index, step.start_ns, step.end_ns, last_start_ns_, last_end_ns_));
  }
  if (config_->units_per_step != 0 && step.units != config_->units_per_step) {
    throw ProtocolError(fmt::format("step {} did {} {}s, \"config\" said {} per step", step.index, step.units,
                                    config_->unit, config_->units_per_step));
  }
  if (step.units > most_units_per_step || units_ > most_units)
    throw ProtocolError(fmt::format("step {}: {} units are more than any training does", step.index, step.units));
  ++steps_;
  units_ += step.units;
  last_start_ns_ = step.start_ns;
  last_end_ns_ = step.end_ns;
}

void RankLedger::take(const wire::Eval& eval) {
  check_times("eval", eval.start_ns, eval.end_ns);
  // Its time must be known before the step that contains it is counted. A GPU's clock strays a little from the host's,
  // so an evaluation that merely overlaps the step before it is believed.
  if (eval.end_ns < last_start_ns_) {
    throw ProtocolError(fmt::format("an evaluation that ended at {} ns was reported after a step that began at {} ns",
                                    eval.end_ns, last_start_ns_));
  }
}

void RankLedger::take(const wire::Done& done) {
  if (done.steps != steps_ || done.units != units_) {
    throw ProtocolError(
        fmt::format("\"done\" speaks of {} steps and {} units, but {} steps and {} units had been reported", done.steps,
                    done.units, steps_, units_));
  }
  done_ = done;
}

}  // namespace etalon::measure
