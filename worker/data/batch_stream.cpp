// SPDX-License-Identifier: Apache-2.0
// A bounded queue between two threads.
#include "worker/data/batch_stream.h"

#include <c10/core/DeviceGuard.h>
#include <sched.h>

#include <utility>

#include "base/clock.h"

namespace etalon::data {
namespace {

/// Batches that lie ready: enough that a slow read is bridged, few enough that memory does not matter.
constexpr std::size_t longest_lead = 8;

void keep_to(const std::vector<int>& cpus) {
  if (cpus.empty()) {
    return;
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) {
    if (cpu >= 0 && cpu < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(cpu), &set);
  }
  // Where none of them is allowed to this process, the thread stays where it may be.
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

BatchStream::BatchStream(const TokenSource& source, BatchShape shape, const at::Device& device)
    : source_(source),
      shape_(shape),
      device_(device),
      near_(device.is_cuda() ? device::cpus_near_gpu() : device::NearCpus{}),
      thread_([this] { produce(); }) {}

BatchStream::~BatchStream() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

at::Tensor BatchStream::make_host_batch(std::int64_t first_window) const {
  return host_batch(shape_.rows, shape_.context, device_, [&](std::int64_t row, std::span<std::int64_t> window) {
    source_.training_window(first_window + row, window);
  });
}

void BatchStream::produce() {
  try {
    keep_to(near_.cpus);
    const c10::OptionalDeviceGuard guard(device_);
    for (std::int64_t first_window = 0;; first_window += shape_.rows) {
      at::Tensor batch = make_host_batch(first_window);
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || ready_.size() < longest_lead; });
      if (stopping_) {
        return;
      }
      ready_.push_back(std::move(batch));
      changed_.notify_all();
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    changed_.notify_all();
  }
}

Batch BatchStream::next() {
  at::Tensor host;
  {
    std::unique_lock lock(mutex_);
    if (ready_.empty() && !failure_) {
      const std::int64_t start_ns = base::monotonic_ns();
      changed_.wait(lock, [this] { return !ready_.empty() || failure_; });
      wait_ns_ += base::monotonic_ns() - start_ns;
    }
    if (ready_.empty()) {
      std::rethrow_exception(failure_);
    }
    host = std::move(ready_.front());
    ready_.pop_front();
  }
  changed_.notify_all();
  return on_device(host, device_);
}

base::Json BatchStream::description(std::int64_t planned_tokens) const {
  base::Json description = describe(source_, planned_tokens);
  description["batches"] = {{"made", "ahead, by a thread of their own"},
                            {"memory", device_.is_cuda() ? "pinned" : "pageable"},
                            {"numa_node", near_.node < 0 ? base::Json("unknown") : base::Json(near_.node)}};
  return description;
}

std::int64_t BatchStream::take_wait_ns() { return std::exchange(wait_ns_, 0); }

}  // namespace etalon::data
