// SPDX-License-Identifier: Apache-2.0
// Methods, checkpointing and narrow formats on a GPU against the same on the CPU. Skipped without a GPU.
#include "tests/worker/fixture.h"
#include "worker/device/device.h"
#include "worker/models/initialise.h"
#include "worker/models/nf4.h"
#include "worker/optim/stochastic_rounding.h"
#include "worker/precision/fp8_linear.h"
#include "worker/workloads/catalog.h"

namespace etalon {
namespace {

class GpuMethods : public testing::Test {
 protected:
  void SetUp() override {
    if (!device::ask_cuda_driver().card) GTEST_SKIP() << "no GPU here";
    gpu_ = device::choose_device("cuda").torch;
  }
  std::vector<double> losses(const recipe::Recipe& recipe, const at::Device& where) {
    const auto workload = workloads::make_workload({.recipe = recipe, .device = where});
    std::vector<double> losses;
    for (int step = 0; step < 6; ++step) losses.push_back(workload->step().item<double>());
    losses.push_back(workload->evaluate()->loss);
    return losses;
  }
  void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double limit) {
    for (std::size_t step = 0; step < expected.size(); ++step) EXPECT_NEAR(found[step], expected[step], limit) << step;
  }
  at::Device gpu_{at::kCPU};
};

TEST_F(GpuMethods, TrainAdaptersAsTheCpuDoes) {
  for (const char* method : {"lora", "qlora"}) {
    recipe::Recipe recipe = worker_test::small_recipe();
    recipe.training.method = method;
    expect_near(losses(recipe, gpu_), losses(recipe, at::kCPU), 2e-4);
  }
}

TEST_F(GpuMethods, GiveTheSameLossesWhateverIsRecomputed) {
  for (const char* precision : {"fp32", "bf16-autocast", "bf16", "fp8"}) {
    recipe::Recipe recipe = worker_test::small_recipe();
    recipe.training.precision = precision;
    recipe.training.attention = "math";  // the same bits each time
    const std::vector<double> expected = losses(recipe, gpu_);
    for (const char* checkpointing : {"selective", "full"}) {
      recipe.training.checkpointing = checkpointing;
      expect_near(losses(recipe, gpu_), expected, 1e-6);
    }
  }
}

TEST_F(GpuMethods, TrainInNarrowFormatsNearlyAsInSinglePrecision) {
  recipe::Recipe recipe = worker_test::small_recipe();
  const std::vector<double> expected = losses(recipe, gpu_);
  for (const auto& [precision, limit] :
       {std::pair{"fp16-autocast", 1e-2}, std::pair{"bf16", 3e-2}, std::pair{"fp8", 5e-2}}) {
    recipe.training.precision = precision;
    expect_near(losses(recipe, gpu_), expected, limit);
  }
}

TEST_F(GpuMethods, RoundToTheSameBitsAsTheCpu) {
  const at::Tensor exact = at::randn({100'000});
  EXPECT_TRUE(at::equal(optim::round_stochastically(exact.to(gpu_), 77, 1000).to(at::kCPU),
                        optim::round_stochastically(exact, 77, 1000)));
}

TEST_F(GpuMethods, DequantiseNf4ToTheSameBitsAsTheCpu) {
  models::Nf4 quantised = models::quantise_nf4(at::randn({96, 128}));
  const at::Tensor expected = models::dequantise_nf4(quantised);
  for (at::Tensor* const part :
       {&quantised.packed, &quantised.magnitude_codes, &quantised.nested_magnitude, &quantised.offset}) {
    *part = part->to(gpu_);
  }
  EXPECT_TRUE(at::equal(models::dequantise_nf4(quantised).to(at::kCPU), expected));
}

TEST_F(GpuMethods, MultiplyInFp8AsTheEmulationDoes) {
  const at::Tensor left = at::randn({64, 128});
  const at::Tensor right = at::randn({96, 128});
  const precision::ScaledFp8 narrow_left = precision::quantise_fp8(left);
  const precision::ScaledFp8 narrow_right = precision::quantise_fp8(right);
  const auto on_gpu = [&](const precision::ScaledFp8& host) {
    return precision::ScaledFp8{host.values.to(gpu_), host.scale.to(gpu_)};
  };
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
    const at::Tensor expected = precision::multiply_fp8(narrow_left, narrow_right, at::kFloat);
    const at::Tensor found = precision::multiply_fp8(on_gpu(narrow_left), on_gpu(narrow_right), type);
    EXPECT_TRUE(at::allclose(found.to(at::kCPU, at::kFloat), expected, 1e-2, 1e-1)) << type;
  }
}

}  // namespace
}  // namespace etalon
