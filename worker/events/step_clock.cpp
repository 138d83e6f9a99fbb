// SPDX-License-Identifier: Apache-2.0
// The two clocks.
#include "worker/events/step_clock.h"

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <deque>
#include <thread>
#include <utility>

#include "base/clock.h"

namespace etalon::events {
namespace {

class HostClock final : public StepClock {
 public:
  void begin() override { step_.start_ns = base::monotonic_ns(); }
  void end(const at::Tensor& loss) override {
    step_.loss = loss.item<double>();
    step_.end_ns = base::monotonic_ns();
    finished_.push_back(step_);
  }
  std::vector<TimedStep> finished() override { return std::exchange(finished_, {}); }
  std::vector<TimedStep> settle() override { return finished(); }
  std::int64_t uncertainty_ns() const override { return 0; }

 private:
  TimedStep step_;
  std::vector<TimedStep> finished_;
};

class DeviceClock final : public StepClock {
 public:
  explicit DeviceClock(const at::Device& device)
      : device_(device),
        guard_(device.type()),
        losses_(at::zeros({slots}, at::TensorOptions(at::kFloat).pinned_memory(true))) {
    anchor();
  }

  void begin() override {
    begun_.emplace(new_event());
    begun_->record(guard_.getStream(device_));
  }

  void end(const at::Tensor& loss) override {
    // The copy is queued before the end event: once that has passed, the value is on the host.
    losses_.select(0, next_slot_).copy_(loss, /*non_blocking=*/true);
    c10::Event ended = new_event();
    ended.record(guard_.getStream(device_));
    pending_.push_back({std::move(*begun_), std::move(ended), next_slot_});
    begun_.reset();
    next_slot_ = (next_slot_ + 1) % slots;
    limit_lead();
  }

  std::vector<TimedStep> finished() override {
    std::vector<TimedStep> steps;
    while (!pending_.empty() && pending_.front().ended.query()) {
      steps.push_back(read_front());
    }
    return steps;
  }

  std::vector<TimedStep> settle() override {
    guard_.getStream(device_).synchronize();
    std::vector<TimedStep> steps = finished();
    anchor();
    return steps;
  }

  std::int64_t uncertainty_ns() const override { return uncertainty_ns_; }

 private:
  struct Pending {
    c10::Event begun;
    c10::Event ended;
    std::int64_t slot;
  };

  /// Steps that the host may be ahead: enough that a GPU never waits for it, few enough that a stop is obeyed soon.
  static constexpr std::size_t longest_lead = 4;
  static constexpr std::int64_t slots = 2 * longest_lead;

  c10::Event new_event() const { return {device_.type(), c10::EventFlag::BACKEND_DEFAULT}; }

  /// Looks now and then whether an old step is over; the GPU is busy with later ones meanwhile.
  void limit_lead() {
    while (pending_.size() > longest_lead && !pending_[pending_.size() - 1 - longest_lead].ended.query()) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }

  TimedStep read_front() {
    Pending& step = pending_.front();
    const double gap_ms = last_->elapsedTime(step.begun);
    const double length_ms = step.begun.elapsedTime(step.ended);
    TimedStep timed;
    timed.start_ns = last_ns_ + nanoseconds(gap_ms);
    timed.gpu_ns = nanoseconds(length_ms);
    timed.end_ns = timed.start_ns + *timed.gpu_ns;
    timed.loss = losses_.const_data_ptr<float>()[step.slot];
    last_ns_ = timed.end_ns;
    last_.emplace(std::move(step.ended));
    pending_.pop_front();
    return timed;
  }

  static std::int64_t nanoseconds(double milliseconds) {
    return std::max<std::int64_t>(0, std::llround(milliseconds * 1e6));
  }

  /// Brackets an event on the idle device between two readings of the host's clock, and keeps the tightest of a few
  /// brackets.
  void anchor() {
    guard_.getStream(device_).synchronize();
    const std::int64_t earliest_ns = last_ns_;
    uncertainty_ns_ = 0;
    for (int attempt = 0; attempt < 8; ++attempt) {
      c10::Event event = new_event();
      const std::int64_t before_ns = base::monotonic_ns();
      event.record(guard_.getStream(device_));
      event.synchronize();
      const std::int64_t half_ns = (base::monotonic_ns() - before_ns + 1) / 2;
      if (attempt == 0 || half_ns < uncertainty_ns_) {
        uncertainty_ns_ = half_ns;
        last_ns_ = std::max(earliest_ns, before_ns + half_ns);
        last_.emplace(std::move(event));
      }
    }
  }

  at::Device device_;
  c10::impl::VirtualGuardImpl guard_;
  at::Tensor losses_;
  std::int64_t next_slot_ = 0;
  std::optional<c10::Event> begun_;
  std::deque<Pending> pending_;
  std::optional<c10::Event> last_;  // the latest event whose host time is known
  std::int64_t last_ns_ = 0;
  std::int64_t uncertainty_ns_ = 0;
};

}  // namespace

std::unique_ptr<StepClock> make_step_clock(const at::Device& device) {
  if (device.is_cpu()) {
    return std::make_unique<HostClock>();
  }
  return std::make_unique<DeviceClock>(device);
}

}  // namespace etalon::events
