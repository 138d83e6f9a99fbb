// SPDX-License-Identifier: Apache-2.0
// Training batches made ahead by a thread of their own, in pinned memory where a GPU trains: the trainer only takes them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "worker/data/batches.h"
#include "worker/data/token_source.h"
#include "worker/device/numa.h"

namespace etalon::data {

struct BatchShape {
  std::int64_t rows = 0;
  std::int64_t context = 0;
};

class BatchStream {
 public:
  /// `source` outlives the stream. Where a GPU trains, the thread keeps to the CPUs on its NUMA node, if the machine tells them.
  BatchStream(const TokenSource& source, BatchShape shape, const at::Device& device);
  ~BatchStream();
  BatchStream(const BatchStream&) = delete;
  BatchStream& operator=(const BatchStream&) = delete;

  /// The next batch on the device: windows 0, 1, 2, … row by row. Waits where it is not ready; throws what the source threw.
  Batch next();
  /// Time spent waiting in next() since the last call.
  std::int64_t take_wait_ns();
  /// Source, passes over it in a training of `planned_tokens`, and how the batches travel; for the dossier.
  base::Json description(std::int64_t planned_tokens) const;

 private:
  void produce();
  at::Tensor make_host_batch(std::int64_t first_window) const;

  const TokenSource& source_;
  BatchShape shape_;
  at::Device device_;
  device::NearCpus near_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<at::Tensor> ready_;  // on the host: [tokens and targets, rows, context]
  std::exception_ptr failure_;
  bool stopping_ = false;
  std::int64_t wait_ns_ = 0;
  std::thread thread_;
};

}  // namespace etalon::data
