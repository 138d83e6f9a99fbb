// SPDX-License-Identifier: Apache-2.0
// The fused execution on a GPU: gradients and losses against the same list on the CPU, training against the plain
// execution, memory against the plan. Skipped without a GPU.
#include <map>

#include "tests/worker/fixture.h"
#include "worker/device/device.h"
#include "worker/fused/language_model.h"
#include "worker/kernels/catalog.h"
#include "worker/libtorch_version.h"
#include "worker/models/initialise.h"
#include "worker/workloads/catalog.h"

namespace etalon {
namespace {

const recipe::Optimizer optimizer{
    .name = "adamw", .learning_rate = 1e-3, .betas = {0.9, 0.95}, .epsilon = 1e-8, .weight_decay = 0.1, .clip = 1};

class FusedGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!device::ask_cuda_driver().card) GTEST_SKIP() << "no GPU here";
    device_ = device::choose_device("cuda");
    if (kernels::cuda_kernels() == nullptr) GTEST_SKIP() << "built without CUDA kernels";
  }

  /// Two layers of grouped attention with biases and a tied head, so that every operation is there.
  static std::unique_ptr<fused::LlamaEngine> model(const models::LlamaConfig& config, fused::Number gradient,
                                                   std::unique_ptr<fused::Backend> backend,
                                                   const char* checkpointing = "none") {
    const fused::LlamaListSettings shape{
        .number = fused::Number::bf16, .gradient = gradient, .batch = 2, .context = 128, .share = 0.5};
    auto made = std::make_unique<fused::LlamaEngine>(config, shape,
                                                     fused::EngineSettings{.optimizer = optimizer, .accumulates = true},
                                                     checkpointing, std::move(backend));
    models::initialise(made->engine().parameters(), "fill", 0, config.layers);
    made->engine().take_over_parameters();
    const at::Tensor stream = at::arange(2 * 129, at::kLong).mul(37).remainder(config.vocabulary).view({2, 129});
    const at::Tensor there = stream.to(made->engine().backend().device());
    made->set_batch(there.narrow(1, 0, 128), there.narrow(1, 1, 128));
    return made;
  }

  static models::LlamaConfig config(bool tied) {
    return {.name = "small",
            .layers = 2,
            .width = 256,
            .heads = 4,
            .key_value_heads = 2,
            .mlp_width = 512,
            .vocabulary = 512,
            .longest_context = 128,
            .tied_head = tied,
            .qkv_bias = tied};
  }

  device::Device device_;
};

TEST_F(FusedGpu, GivesTheGradientsAndLossesOfItsTwin) {
  for (const bool tied : {false, true}) {
    const fused::Number gradient = tied ? fused::Number::f32 : fused::Number::bf16;
    const auto cpu = model(config(tied), gradient, fused::make_cpu_backend());
    const auto gpu = model(config(tied), gradient, fused::make_cuda_backend(device_.torch));
    for (const auto* const one : {&cpu, &gpu}) {
      (*one)->engine().micro_step(true);
      (*one)->engine().micro_step(false);
    }
    EXPECT_NEAR(gpu->loss().item<float>(), cpu->loss().item<float>(), 2e-3);
    std::map<std::string, at::Tensor> expected;
    for (const models::NamedTensor& named : cpu->engine().gradients()) expected[named.name] = named.tensor;
    for (const models::NamedTensor& named : gpu->engine().gradients()) {
      const at::Tensor twin = expected[named.name].to(at::kDouble);
      const double error = (named.tensor.cpu().to(at::kDouble) - twin).norm().item<double>();
      // The softmax hardly sees a key's bias: its gradient is nearly all rounding.
      const double limit = named.name.ends_with("k_proj.bias") ? 0.5 : 3e-2;
      EXPECT_LE(error, limit * twin.norm().item<double>()) << named.name;
    }
  }
}

TEST_F(FusedGpu, FollowsItsTwinThroughUpdates) {
  const auto cpu = model(config(false), fused::Number::bf16, fused::make_cpu_backend());
  const auto gpu = model(config(false), fused::Number::bf16, fused::make_cuda_backend(device_.torch), "full");
  for (int step = 0; step < 8; ++step) {
    for (const auto* const one : {&cpu, &gpu}) {
      (*one)->engine().micro_step(true);
      (*one)->engine().update(1e-3);
    }
    EXPECT_NEAR(gpu->loss().item<float>(), cpu->loss().item<float>(), 2e-2) << step;
    EXPECT_NEAR(gpu->engine().gradient_norm(), cpu->engine().gradient_norm(), 3e-2 * cpu->engine().gradient_norm());
  }
}

TEST_F(FusedGpu, TrainsNearlyAsThePlainExecutionUnderAutocast) {
  recipe::Recipe recipe = worker_test::small_recipe();
  recipe.workload.context = 128;
  recipe.training.precision = "bf16-autocast";
  recipe.training.micro_batch = 4;
  recipe.training.schedule.total_steps = 30;
  std::map<std::string, std::vector<double>> losses;
  for (const char* const execution : {"plain", "fused"}) {
    recipe.engine.execution = execution;
    const auto workload = workloads::make_workload({.recipe = recipe, .device = device_.torch});
    for (int step = 0; step < 30; ++step) losses[execution].push_back(workload->step().item<double>());
    losses[execution].push_back(workload->evaluate()->loss);
  }
  for (std::size_t step = 0; step < losses["plain"].size(); ++step) {
    EXPECT_NEAR(losses["fused"][step], losses["plain"][step], 5e-3 * losses["plain"][step]) << step;
  }
}

TEST_F(FusedGpu, TakesTheMemoryThatItPlanned) {
  const auto gpu = model(config(false), fused::Number::bf16, fused::make_cuda_backend(device_.torch));
  const std::int64_t planned = gpu->engine().memory().total();
  gpu->engine().micro_step(true);
  gpu->engine().update(1e-3);
  EXPECT_GE(worker::device_memory(0)->peak_allocated_bytes, planned);
  const auto again = worker::device_memory(0)->peak_allocated_bytes;
  for (int step = 0; step < 3; ++step) gpu->engine().micro_step(true);
  EXPECT_EQ(worker::device_memory(0)->peak_allocated_bytes, again);
}

}  // namespace
}  // namespace etalon
