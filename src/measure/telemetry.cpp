// SPDX-License-Identifier: Apache-2.0
// The sampling thread.
#include "measure/telemetry.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "base/clock.h"

namespace etalon::measure {
namespace {

using Clock = std::chrono::steady_clock;  // CLOCK_MONOTONIC, as base::monotonic_ns

/// Signals are the main thread's business: this one starts with all of them blocked.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

std::size_t cells_of(const std::vector<Channel>& channels) {
  return static_cast<std::size_t>(
      std::count_if(channels.begin(), channels.end(), [](const Channel& channel) { return channel.state == "value"; }));
}

}  // namespace

struct Telemetry::State {
  std::vector<std::unique_ptr<Source>> sources;
  std::vector<std::size_t> cell_counts;  // of each source, fixed at the start
  std::vector<Channel> channels;
  Clock::duration interval{};
  std::size_t capacity = default_capacity;
  std::mutex mutex;
  std::condition_variable wake;
  bool stopping = false;
  std::deque<TelemetryRow> rows;
  std::uint64_t dropped = 0;
  std::thread thread;

  TelemetryRow sample_row() {
    TelemetryRow row;
    row.time_ns = base::monotonic_ns();
    for (std::size_t index = 0; index < sources.size(); ++index) {
      std::vector<std::optional<double>> cells;
      try {
        cells = sources[index]->sample();
      } catch (const std::exception&) {
        cells.clear();  // one broken reading is an empty cell, not the end of the measurement
      }
      cells.resize(cell_counts[index]);
      row.cells.insert(row.cells.end(), cells.begin(), cells.end());
    }
    return row;
  }

  void keep(TelemetryRow row) {
    const std::lock_guard lock(mutex);
    if (rows.size() >= capacity) {
      rows.pop_front();
      ++dropped;
    }
    rows.push_back(std::move(row));
  }

  void run() {
    Clock::time_point due = Clock::now();
    while (true) {
      keep(sample_row());
      const auto late = std::max(Clock::duration::zero(), Clock::now() - due);
      due += interval * (late / interval + 1);
      std::unique_lock lock(mutex);
      if (wake.wait_until(lock, due, [this] { return stopping; })) return;
    }
  }
};

Telemetry::Telemetry(std::vector<std::unique_ptr<Source>> sources, double interval_seconds, std::size_t capacity)
    : state_(std::make_unique<State>()) {
  if (!(interval_seconds > 0 && std::isfinite(interval_seconds)))
    throw std::invalid_argument("the telemetry interval must be a positive time");
  state_->interval = std::max<Clock::duration>(
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(interval_seconds, 86'400.0))),
      std::chrono::milliseconds(1));
  state_->capacity = std::max<std::size_t>(capacity, 1);
  state_->sources = std::move(sources);
  for (const std::unique_ptr<Source>& source : state_->sources) {
    const std::vector<Channel> channels = source->channels();
    state_->cell_counts.push_back(cells_of(channels));
    state_->channels.insert(state_->channels.end(), channels.begin(), channels.end());
  }
  const SignalsBlocked blocked;
  state_->thread = std::thread([state = state_.get()] { state->run(); });
}

Telemetry::~Telemetry() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->wake.notify_all();
  state_->thread.join();
}

const std::vector<Channel>& Telemetry::channels() const { return state_->channels; }

std::vector<TelemetryRow> Telemetry::take() {
  std::deque<TelemetryRow> taken;
  {
    const std::lock_guard lock(state_->mutex);
    taken.swap(state_->rows);
  }
  return {std::make_move_iterator(taken.begin()), std::make_move_iterator(taken.end())};
}

std::uint64_t Telemetry::dropped() const {
  const std::lock_guard lock(state_->mutex);
  return state_->dropped;
}

}  // namespace etalon::measure
