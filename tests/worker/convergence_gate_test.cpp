// SPDX-License-Identifier: Apache-2.0
// Which formats are held against bf16-autocast, what is found for them, and what fails.
#include "worker/workloads/convergence_gate.h"

#include "tests/worker/fixture.h"
#include "worker/models/llama_config.h"
#include "worker/workloads/catalog.h"

namespace etalon {
namespace {

std::optional<workloads::ConvergenceGate> gate_of(const char* precision) {
  recipe::Recipe recipe = worker_test::small_recipe();
  recipe.training.precision = precision;
  const auto batch = [](std::int64_t number) {
    const at::Tensor tokens = (at::arange(2 * 17, at::kLong) * 7 + number).remainder(256).view({2, 17});
    return data::Batch{tokens.narrow(1, 0, 16), tokens.narrow(1, 1, 16)};
  };
  return workloads::check_convergence(recipe, models::find_llama_config("nano"), at::kCPU, batch);
}

TEST(ConvergenceGate, PassesTheNarrowFormatsThatTrain) {
  for (const char* precision : {"fp8", "bf16"}) {
    const auto gate = gate_of(precision);
    ASSERT_TRUE(gate.has_value()) << precision;
    EXPECT_TRUE(gate->passed()) << precision << gate->description(4).dump();
    EXPECT_LT(gate->gradient_cosine, 1) << precision;
    EXPECT_GT(gate->loss_difference, 0) << precision;
  }
}

TEST(ConvergenceGate, LeavesWiderFormatsAlone) {
  for (const char* precision : {"fp32", "bf16-autocast", "fp16-autocast"}) {
    EXPECT_FALSE(gate_of(precision).has_value()) << precision;
  }
}

TEST(ConvergenceGate, FailsOnTurnedGradientsAnotherCourseAndWhatIsNotANumber) {
  EXPECT_TRUE((workloads::ConvergenceGate{0.99, 0.001}.passed()));
  EXPECT_FALSE((workloads::ConvergenceGate{0.9, 0.001}.passed()));
  EXPECT_FALSE((workloads::ConvergenceGate{0.99, 0.1}.passed()));
  EXPECT_FALSE((workloads::ConvergenceGate{NAN, 0.001}.passed()));
}

TEST(ConvergenceGate, IsReportedBeforeTheFirstStep) {
  recipe::Recipe recipe = worker_test::small_recipe();
  recipe.training.precision = "fp8";
  const base::Json gate = workloads::make_workload({.recipe = recipe})->size().details["convergence_gate"];
  EXPECT_EQ(gate["reference"], "bf16-autocast");
  EXPECT_EQ(gate["layers"], 4);
  EXPECT_TRUE(gate["passed"].get<bool>());
}

}  // namespace
}  // namespace etalon
