// SPDX-License-Identifier: Apache-2.0
// One step after another; what is reported about a step may come steps later.
#include "worker/train_loop.h"

#include <deque>

#include "base/clock.h"
#include "worker/events/memory.h"

namespace etalon::worker {
namespace {

constexpr std::int64_t memory_interval_ns = 1'000'000'000;

class TrainLoop {
 public:
  TrainLoop(workloads::Workload& workload, events::StepClock& clock, wire::Client& client, const TrainPlan& plan)
      : workload_(workload), clock_(clock), client_(client), plan_(plan) {}

  TrainOutcome run() {
    phase("train");
    while (!stopped() && !client_.closed() && steps_ != plan_.last_step) {
      clock_.begin();
      clock_.end(workload_.step());
      data_waits_ns_.push_back(workload_.take_data_wait_ns());
      ++steps_;
      report(clock_.finished());
      report_memory();
      if (evaluation_is_due()) {
        evaluate();
        phase("train");
      }
    }
    report(clock_.settle());
    if (plan_.evaluates && stop_ && stop_->reason != "interrupted" && evaluated_at_ != steps_) {
      evaluate();
    }
    if (client_.closed()) {
      return {steps_, ""};
    }
    phase("finish");
    if (!stop_ || stop_->reason != "interrupted") {
      for (const std::string& remark : workload_.finish()) {
        client_.send(wire::Note{"info", remark});
      }
    }
    return {steps_, stop_ ? "stopped" : "finished"};
  }

 private:
  bool stopped() {
    while (std::optional<wire::Command> command = client_.poll()) {
      if (const auto* stop = std::get_if<wire::Stop>(&*command)) {
        stop_ = *stop;
      }
    }
    return stop_.has_value();
  }

  void phase(const std::string& name) { client_.send(wire::Phase{name, base::monotonic_ns()}); }

  void report(const std::vector<events::TimedStep>& steps) {
    for (const events::TimedStep& step : steps) {
      client_.send(wire::Step{.index = reported_++,
                              .start_ns = step.start_ns,
                              .end_ns = step.end_ns,
                              .gpu_ns = step.gpu_ns,
                              .units = plan_.units_per_step,
                              .loss = step.loss,
                              .data_wait_ns = data_waits_ns_.front()});
      data_waits_ns_.pop_front();
    }
  }

  void report_memory() {
    const std::int64_t now_ns = base::monotonic_ns();
    if (now_ns >= next_memory_ns_) {
      next_memory_ns_ = now_ns + memory_interval_ns;
      client_.send(events::memory_now(plan_.device_index));
    }
  }

  bool evaluation_is_due() const {
    if (!plan_.evaluates) {
      return false;
    }
    const bool by_interval =
        plan_.evaluate_every_steps > 0 && steps_ < plan_.total_steps && steps_ % plan_.evaluate_every_steps == 0;
    return by_interval || steps_ == plan_.total_steps;
  }

  void evaluate() {
    report(clock_.settle());
    phase("eval");
    const std::int64_t start_ns = base::monotonic_ns();
    if (const std::optional<workloads::Evaluation> evaluation = workload_.evaluate()) {
      client_.send(wire::Eval{.name = "held-out",
                              .step = steps_,
                              .start_ns = start_ns,
                              .end_ns = base::monotonic_ns(),
                              .units = evaluation->units,
                              .loss = evaluation->loss});
    }
    evaluated_at_ = steps_;
    report(clock_.settle());
  }

  workloads::Workload& workload_;
  events::StepClock& clock_;
  wire::Client& client_;
  const TrainPlan& plan_;
  std::deque<std::optional<std::int64_t>> data_waits_ns_;  // of steps that are not reported yet
  std::int64_t steps_ = 0;
  std::int64_t reported_ = 0;
  std::int64_t evaluated_at_ = -1;
  std::int64_t next_memory_ns_ = 0;
  std::optional<wire::Stop> stop_;
};

}  // namespace

TrainOutcome train(workloads::Workload& workload, events::StepClock& clock, wire::Client& client,
                   const TrainPlan& plan) {
  return TrainLoop(workload, clock, client, plan).run();
}

}  // namespace etalon::worker
