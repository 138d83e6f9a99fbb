// SPDX-License-Identifier: Apache-2.0
// The same worker on a GPU: its kernel against the CPU twin, its training against the CPU's, its clock. Skipped without
// a GPU.
#include "base/clock.h"
#include "tests/worker/fixture.h"
#include "worker/device/device.h"
#include "worker/events/step_clock.h"
#include "worker/kernels/self_check.h"
#include "worker/libtorch_version.h"
#include "worker/workloads/catalog.h"

namespace etalon {
namespace {

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!device::ask_cuda_driver().card) GTEST_SKIP() << "no GPU here";
    device_ = device::choose_device("cuda");
  }
  std::vector<double> losses(const recipe::Recipe& recipe, const at::Device& where, int steps) {
    const auto workload = workloads::make_workload({.recipe = recipe, .device = where});
    std::vector<double> losses;
    for (int step = 0; step < steps; ++step) losses.push_back(workload->step().item<double>());
    losses.push_back(workload->evaluate()->loss);
    return losses;
  }
  device::Device device_;
};

TEST_F(Gpu, ComputesTheSelfChecksKnownSum) {
  const kernels::SelfCheckResult result = kernels::run_self_check();
  EXPECT_EQ(result.code, 0) << result.message;
  EXPECT_EQ(result.checksum, kernels::self_check_reference());
}

TEST_F(Gpu, TrainsAsTheCpuDoes) {
  const std::vector<double> expected = losses(worker_test::small_recipe(), at::kCPU, 6);
  const std::vector<double> found = losses(worker_test::small_recipe(), device_.torch, 6);
  for (std::size_t step = 0; step < expected.size(); ++step) EXPECT_NEAR(found[step], expected[step], 2e-4) << step;
}

TEST_F(Gpu, TrainsInTf32AndUnderAutocastNearlyAsInFp32) {
  recipe::Recipe recipe = worker_test::small_recipe();
  const double expected = losses(recipe, device_.torch, 6).back();
  for (const char* precision : {"tf32", "bf16-autocast"}) {
    recipe.training.precision = precision;
    EXPECT_NEAR(losses(recipe, device_.torch, 6).back(), expected, 2e-2) << precision;
  }
}

TEST_F(Gpu, TimesStepsInOrderOnTheHostsClock) {
  const auto clock = events::make_step_clock(device_.torch);
  EXPECT_LT(clock->uncertainty_ns(), 1'000'000);
  const at::Tensor matrix = at::ones({1024, 1024}, device_.torch);
  const std::int64_t before_ns = base::monotonic_ns();
  std::vector<events::TimedStep> steps;
  for (int index = 0; index < 20; ++index) {
    clock->begin();
    clock->end(at::matmul(matrix, matrix).mean() + index);
    const std::vector<events::TimedStep> finished = clock->finished();
    steps.insert(steps.end(), finished.begin(), finished.end());
  }
  const std::vector<events::TimedStep> rest = clock->settle();
  const std::int64_t after_ns = base::monotonic_ns();
  steps.insert(steps.end(), rest.begin(), rest.end());
  ASSERT_EQ(steps.size(), 20U);
  EXPECT_GE(steps.front().start_ns, before_ns - clock->uncertainty_ns() - 100'000);
  EXPECT_LE(steps.back().end_ns, after_ns + 100'000);
  for (std::size_t index = 0; index < steps.size(); ++index) {
    EXPECT_EQ(steps[index].loss, 1024 + static_cast<double>(index));
    EXPECT_EQ(steps[index].end_ns - steps[index].start_ns, steps[index].gpu_ns);
    EXPECT_GE(steps[index].start_ns, steps[index == 0 ? 0 : index - 1].start_ns);
  }
}

TEST_F(Gpu, CountsTheMemoryThatItsAllocatorGaveOut) {
  const at::Tensor held = at::empty({1 << 20}, device_.torch);
  if (const auto memory = worker::device_memory(0)) {
    EXPECT_GE(memory->peak_allocated_bytes, held.numel() * 4);
    EXPECT_GE(memory->peak_reserved_bytes, memory->peak_allocated_bytes);
  }
}

}  // namespace
}  // namespace etalon
