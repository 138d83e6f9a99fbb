// SPDX-License-Identifier: Apache-2.0
// Batches as tensors, the thread that makes them ahead, and the text that comes with PyTorch.
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include "tests/worker/fixture.h"
#include "worker/data/batch_stream.h"
#include "worker/data/corpus.h"
#include "worker/device/numa.h"
#include "worker/events/libraries.h"
#include "worker/workloads/catalog.h"

namespace etalon {
namespace {

using worker_test::write;

TEST(TorchSource, IsTheSameTextOnEveryMachineWithThisWheel) {
  if (events::torch_versions()["pytorch"] != "2.11.0+cu130") GTEST_SKIP() << "another PyTorch";
  const data::Corpus corpus = data::read_torch_source(events::torch_package_folder());
  EXPECT_EQ(corpus.files, 2140);
  EXPECT_EQ(corpus.training.bytes.size(), 40'930'032U);
  EXPECT_EQ(corpus.held_out.bytes.size(), 405'518U);
  EXPECT_EQ(corpus.sha256, "8bbdc3df83a51e7775610891704f9a22bb8bf3b8e97fab55d2b1f72269b1fbd4");
}

TEST(Batches, PairEveryTokenWithTheOneThatFollows) {
  const data::Batch batch = data::make_batch(2, 3, at::kCPU, [](std::int64_t row, std::span<std::int64_t> window) {
    std::iota(window.begin(), window.end(), 10 * row);
  });
  EXPECT_TRUE(at::equal(batch.tokens_BT, at::tensor({0, 1, 2, 10, 11, 12}, at::kLong).view({2, 3})));
  EXPECT_TRUE(at::equal(batch.targets_BT, batch.tokens_BT + 1));
}

/// Window n is n, n, …; held back while the test wishes so.
class NumberSource final : public data::TokenSource {
 public:
  void training_window(std::int64_t number, std::span<std::int64_t> tokens) const override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return number < released_; });
    if (number == failing_) throw std::runtime_error("the disk is gone");
    std::fill(tokens.begin(), tokens.end(), number);
  }
  void held_out_window(std::int64_t, std::int64_t, std::span<std::int64_t>) const override {}
  base::Json description() const override { return {{"source", "numbers"}}; }
  std::optional<std::int64_t> training_tokens() const override { return 100; }

  void release(std::int64_t windows) {
    const std::lock_guard lock(mutex_);
    released_ = windows;
    changed_.notify_all();
  }
  std::int64_t failing_ = -1;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::int64_t released_ = 0;
};

TEST(BatchStream, DealsOutEveryWindowOnceAndInOrder) {
  NumberSource source;
  source.release(1000);
  data::BatchStream stream(source, {2, 3}, at::kCPU);
  for (std::int64_t batch = 0; batch < 30; ++batch) {
    const data::Batch next = stream.next();
    EXPECT_TRUE(at::equal(next.tokens_BT, at::tensor({2 * batch, 2 * batch + 1}).view({2, 1}).expand({2, 3})));
  }
  EXPECT_EQ(stream.description(50)["passes"], 0.5);
  EXPECT_EQ(stream.description(50)["batches"]["memory"], "pageable");
  source.release(1'000'000);
}

TEST(BatchStream, MeasuresHowLongTheTrainerWaited) {
  NumberSource source;
  data::BatchStream stream(source, {1, 1}, at::kCPU);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    source.release(1'000'000);
  });
  stream.next();
  later.join();
  EXPECT_GE(stream.take_wait_ns(), 15'000'000);
  EXPECT_EQ(stream.take_wait_ns(), 0);
}

TEST(BatchStream, HandsOnWhatTheSourceThrew) {
  NumberSource source;
  source.failing_ = 2;
  source.release(1'000'000);
  data::BatchStream stream(source, {1, 1}, at::kCPU);
  stream.next();
  stream.next();
  EXPECT_THROW(stream.next(), std::runtime_error);
}

TEST(LanguageModelData, IsDescribedWithWhatAPersonShouldKnow) {
  recipe::Recipe recipe = worker_test::small_recipe();
  recipe.data.source = "markov";
  const auto workload = workloads::make_workload({.recipe = recipe});
  const workloads::WorkSize size = workload->size();
  EXPECT_EQ(size.details["data"]["states"], 256);
  EXPECT_EQ(size.details["data"]["passes"], "never repeated");
  ASSERT_EQ(size.remarks.size(), 1U);
  EXPECT_NE(size.remarks.front().find("1.81585 nats/token"), std::string::npos) << size.remarks.front();
  workload->step();
  EXPECT_GE(workload->take_data_wait_ns().value(), 0);
}

TEST(LanguageModelData, ReadsWindowsInTheirOrderThroughoutAStep) {
  // Two micro-batches of two rows take windows 0 to 3: the same as one batch of four.
  recipe::Recipe recipe = worker_test::small_recipe();
  recipe.training.accumulation = 2;
  const double accumulated = workloads::make_workload({.recipe = recipe})->step().item<double>();
  recipe.training.accumulation = 1;
  recipe.training.micro_batch = 4;
  EXPECT_NEAR(workloads::make_workload({.recipe = recipe})->step().item<double>(), accumulated, 1e-5);
}

TEST(CpusNear, AGpuAreThoseOfItsNumaNode) {
  const TemporaryFolder folder;
  write(folder, "bus/pci/devices/0000:3b:00.0/numa_node", "1\n");
  write(folder, "devices/system/node/node1/cpulist", "8-10,24\n");
  const device::NearCpus near = device::cpus_near("0000:3B:00.0", folder.path());
  EXPECT_EQ(near.node, 1);
  EXPECT_EQ(near.cpus, (std::vector<int>{8, 9, 10, 24}));
}

TEST(CpusNear, AGpuAreUnknownWhereTheMachineDoesNotTell) {
  const TemporaryFolder folder;
  write(folder, "bus/pci/devices/0000:3b:00.0/numa_node", "-1\n");
  EXPECT_EQ(device::cpus_near("0000:3B:00.0", folder.path()).node, -1);
  EXPECT_EQ(device::cpus_near("0000:00:00.0", folder.path()).node, -1);
  EXPECT_TRUE(device::cpus_near("", folder.path()).cpus.empty());
}

}  // namespace
}  // namespace etalon
