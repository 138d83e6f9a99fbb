// SPDX-License-Identifier: Apache-2.0
// Checkpointing: the same bits whatever is recomputed.
#include "worker/models/recompute.h"

#include <ATen/autocast_mode.h>

#include "tests/worker/tiny_model.h"
#include "worker/failure.h"
#include "worker/workloads/catalog.h"

namespace etalon {
namespace {

/// Three steps' losses and the last evaluation.
std::vector<double> losses_of(const recipe::Recipe& recipe, at::ScalarType type) {
  const auto workload = workloads::make_workload({.recipe = recipe, .parameter_dtype = type});
  std::vector<double> losses;
  for (int step = 0; step < 3; ++step) losses.push_back(workload->step().item<double>());
  losses.push_back(workload->evaluate()->loss);
  return losses;
}

struct Case {
  const char* name;
  const char* method;
  const char* precision;
  at::ScalarType type;
};

class Checkpointing : public testing::TestWithParam<Case> {};

TEST_P(Checkpointing, KeepsTheBitsOfLossesAndUpdates) {
  recipe::Recipe recipe = worker_test::small_recipe();
  recipe.training.method = GetParam().method;
  recipe.training.precision = GetParam().precision;
  recipe.training.accumulation = 2;
  const std::vector<double> expected = losses_of(recipe, GetParam().type);
  for (const char* checkpointing : {"selective", "full"}) {
    recipe.training.checkpointing = checkpointing;
    EXPECT_EQ(losses_of(recipe, GetParam().type), expected) << checkpointing;
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, Checkpointing,
                         testing::Values(Case{"fp64", "full", "fp32", at::kDouble},
                                         Case{"fp32", "full", "fp32", at::kFloat},
                                         Case{"bf16_autocast", "full", "bf16-autocast", at::kFloat},
                                         Case{"fp8", "full", "fp8", at::kFloat},
                                         Case{"lora", "lora", "bf16-autocast", at::kFloat},
                                         Case{"qlora", "qlora", "bf16-autocast", at::kFloat}),
                         [](const auto& test) { return test.param.name; });

/// Gradients of every parameter after one backward pass.
std::vector<at::Tensor> gradients(const worker_test::TinyModel& reference, const char* checkpointing) {
  models::EmptyParameters set(at::TensorOptions(at::kDouble));
  models::Llama model(reference.config, 32, at::TensorOptions(at::kDouble), set,
                      models::find_checkpointing(checkpointing));
  models::initialise(model.parameters(), "fill", 0, reference.config.layers);
  model.loss(reference.shifted_tokens, reference.shifted_targets).backward();
  std::vector<at::Tensor> found;
  for (const models::NamedTensor& parameter : model.parameters()) found.push_back(parameter.tensor.grad());
  return found;
}

TEST(Recompute, KeepsTheBitsOfEveryGradientOfEveryModel) {
  for (const char* name : {"tiny_llama_mha", "tiny_llama_gqa", "tiny_qwen2"}) {
    const worker_test::TinyModel reference = worker_test::tiny_model(name);
    const std::vector<at::Tensor> expected = gradients(reference, "none");
    for (const char* checkpointing : {"selective", "full"}) {
      const std::vector<at::Tensor> found = gradients(reference, checkpointing);
      for (std::size_t index = 0; index < expected.size(); ++index) {
        EXPECT_TRUE(at::equal(found[index], expected[index])) << name << " " << checkpointing << " " << index;
      }
    }
  }
}

TEST(Recompute, RunsItsBodyAgainAndOnlyWhenGradientsAreWanted) {
  int runs = 0;
  const at::Tensor weight = at::full({3}, 2.0).requires_grad_();
  const auto body = [&](const at::Tensor& x) {
    ++runs;
    return x * weight;
  };
  const at::Tensor x = at::arange(3.0);
  const at::Tensor y = models::recomputed(body, x, {weight});
  EXPECT_EQ(runs, 1);
  y.sum().backward();
  EXPECT_EQ(runs, 2);
  EXPECT_TRUE(at::equal(weight.grad(), x));
  EXPECT_FALSE(models::recomputed(body, x, {}).requires_grad());
}

TEST(Recompute, ComputesUnderTheAutocastOfTheForwardPass) {
  const at::Tensor weight = at::ones({4, 4}).requires_grad_();
  std::vector<at::ScalarType> types;
  const auto body = [&](const at::Tensor& x) {
    const at::Tensor y = at::linear(x, weight);
    types.push_back(y.scalar_type());
    return y;
  };
  at::Tensor y;
  {
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
    at::autocast::set_autocast_enabled(at::kCPU, true);
    y = models::recomputed(body, at::ones({2, 4}), {weight});
    at::autocast::set_autocast_enabled(at::kCPU, false);
  }
  y.sum().backward();
  EXPECT_EQ(types, (std::vector{at::kBFloat16, at::kBFloat16}));
  EXPECT_FALSE(at::autocast::is_autocast_enabled(at::kCPU));
}

TEST(Recompute, RefusesAnUnknownWord) { EXPECT_THROW(models::find_checkpointing("some"), worker::Failure); }

}  // namespace
}  // namespace etalon
