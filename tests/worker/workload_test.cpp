// SPDX-License-Identifier: Apache-2.0
// The language-model workload: sizes, accumulation, evaluation, and what it refuses.
#include "tests/worker/fixture.h"
#include "worker/failure.h"
#include "worker/models/initialise.h"
#include "worker/models/llama.h"
#include "worker/workloads/catalog.h"

namespace etalon {
namespace {

using worker_test::small_recipe;

std::vector<double> losses_of(workloads::Workload& workload, int steps) {
  std::vector<double> losses;
  for (int step = 0; step < steps; ++step) losses.push_back(workload.step().item<double>());
  return losses;
}

TEST(LanguageModel, AccumulatedMicroBatchesEqualOneBigBatch) {
  recipe::Recipe recipe = small_recipe();
  recipe.training.micro_batch = 8;
  const auto big = workloads::make_workload({.recipe = recipe, .parameter_dtype = at::kDouble});
  recipe.training.micro_batch = 2;
  recipe.training.accumulation = 4;
  const auto accumulated = workloads::make_workload({.recipe = recipe, .parameter_dtype = at::kDouble});
  EXPECT_EQ(big->size().units_per_step, accumulated->size().units_per_step);
  const std::vector<double> expected = losses_of(*big, 6);
  const std::vector<double> losses = losses_of(*accumulated, 6);
  for (std::size_t step = 0; step < expected.size(); ++step) {
    EXPECT_NEAR(losses[step], expected[step], 1e-12) << step;
  }
  EXPECT_NEAR(accumulated->evaluate()->loss, big->evaluate()->loss, 1e-12);
}

TEST(LanguageModel, TellsItsSize) {
  const workloads::WorkSize size = workloads::make_workload({.recipe = small_recipe()})->size();
  EXPECT_EQ(size.parameters, 1'070'464);
  EXPECT_EQ(size.unit, "token");
  EXPECT_EQ(size.units_per_step, 32);
  EXPECT_EQ(size.flops_per_unit, 6 * (1'036'288.0 + 5 * 128 * 17));
  EXPECT_EQ(size.details["attention"]["allowed"], "auto");
  EXPECT_EQ(size.details["data"]["source"], "synthetic");
}

TEST(LanguageModel, StartsNearTheEntropyOfUniformTokens) {
  const auto workload = workloads::make_workload({.recipe = small_recipe()});
  const auto evaluation = workload->evaluate();
  EXPECT_NEAR(evaluation->loss, std::log(256), 0.05);
  EXPECT_EQ(evaluation->units, 3 * 16);
}

TEST(LanguageModel, EvaluatesTheSameWhateverTheBatch) {
  recipe::Recipe recipe = small_recipe();
  recipe.evaluation.sequences = 5;
  const double in_pairs = workloads::make_workload({.recipe = recipe})->evaluate()->loss;
  recipe.training.micro_batch = 5;
  EXPECT_NEAR(workloads::make_workload({.recipe = recipe})->evaluate()->loss, in_pairs, 1e-6);
}

TEST(LanguageModel, TrainsAndEvaluatesAlikeInBothExecutions) {
  recipe::Recipe recipe = small_recipe();
  recipe.training.accumulation = 2;
  recipe.evaluation.sequences = 3;  // the second batch of two is half empty
  const auto plain = workloads::make_workload({.recipe = recipe, .parameter_dtype = at::kDouble});
  recipe.engine.execution = "fused";
  const auto fused = workloads::make_workload({.recipe = recipe, .parameter_dtype = at::kDouble});
  EXPECT_EQ(fused->size().details["execution"], "fused");
  EXPECT_EQ(fused->size().units_per_step, plain->size().units_per_step);
  const std::vector<double> expected = losses_of(*plain, 4);
  const std::vector<double> losses = losses_of(*fused, 4);
  for (std::size_t step = 0; step < expected.size(); ++step) EXPECT_NEAR(losses[step], expected[step], 1e-11) << step;
  EXPECT_NEAR(fused->evaluate()->loss, plain->evaluate()->loss, 1e-11);
}

TEST(LanguageModel, RefusesAPrecisionThatTheFusedExecutionHasNot) {
  recipe::Recipe recipe = small_recipe();
  recipe.engine.execution = "fused";
  recipe.training.precision = "tf32";
  EXPECT_THROW(workloads::make_workload({.recipe = recipe}), worker::Failure);
}

TEST(LanguageModel, LearnsARepeatingText) {
  const TemporaryFolder folder;
  std::string text;
  while (text.size() < 4000) text += "abcdefgh";
  recipe::Recipe recipe = small_recipe();
  recipe.data.source = "text:" + worker_test::write(folder, "text", text).string();
  recipe.training.optimizer.learning_rate = 3e-3;
  recipe.training.schedule.total_steps = 40;
  const auto workload = workloads::make_workload({.recipe = recipe});
  losses_of(*workload, 40);
  EXPECT_LT(workload->evaluate()->loss, 0.5);
}

TEST(LanguageModel, ComputesInBfloat16UnderAutocastAndLearnsAlike) {
  recipe::Recipe recipe = small_recipe();
  const double expected = losses_of(*workloads::make_workload({.recipe = recipe}), 4).back();
  recipe.training.precision = "bf16-autocast";
  const auto workload = workloads::make_workload({.recipe = recipe});
  const double loss = losses_of(*workload, 4).back();
  EXPECT_NEAR(loss, expected, 2e-2);
  EXPECT_NE(loss, expected);
  EXPECT_EQ(workload->size().details["dtypes"]["matrix_products"], "bfloat16");
}

TEST(LanguageModel, LearnsInEveryPrecisionAsInSinglePrecision) {
  recipe::Recipe recipe = small_recipe();
  const double expected = losses_of(*workloads::make_workload({.recipe = recipe}), 6).back();
  for (const auto& [precision, limit] :
       {std::pair{"fp16-autocast", 1e-2}, std::pair{"bf16", 3e-2}, std::pair{"fp8", 5e-2}}) {
    recipe.training.precision = precision;
    const auto workload = workloads::make_workload({.recipe = recipe});
    const double loss = losses_of(*workload, 6).back();
    EXPECT_NEAR(loss, expected, limit) << precision;
    EXPECT_NE(loss, expected) << precision;
    EXPECT_EQ(workload->size().details["precision"], precision);
  }
}

TEST(LanguageModel, KeepsEverythingInBfloat16WhenToldTo) {
  recipe::Recipe recipe = small_recipe();
  recipe.training.precision = "bf16";
  const base::Json dtypes = workloads::make_workload({.recipe = recipe})->size().details["dtypes"];
  EXPECT_EQ(dtypes["parameters"], "bfloat16");
  EXPECT_EQ(dtypes["optimiser_state"], "bfloat16");
  const std::vector<double> losses = losses_of(*workloads::make_workload({.recipe = recipe}), 4);
  EXPECT_EQ(losses_of(*workloads::make_workload({.recipe = recipe}), 4), losses);
  recipe.training.seed += 1;
  EXPECT_NE(losses_of(*workloads::make_workload({.recipe = recipe}), 4), losses);
}

TEST(LanguageModel, TellsAtTheEndHowManyStepsOverflowed) {
  recipe::Recipe recipe = small_recipe();
  recipe.training.precision = "fp16-autocast";
  const auto workload = workloads::make_workload({.recipe = recipe});
  losses_of(*workload, 2);
  const std::vector<std::string> remarks = workload->finish();
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_NE(remarks.front().find(" of 2 optimiser steps were skipped"), std::string::npos) << remarks.front();
}

TEST(LanguageModel, AccumulatesAlikeWithAdapters) {
  recipe::Recipe recipe = small_recipe();
  recipe.training.method = "lora";
  recipe.training.weights = "fill";
  recipe.training.micro_batch = 4;
  const auto big = workloads::make_workload({.recipe = recipe, .parameter_dtype = at::kDouble});
  recipe.training.micro_batch = 1;
  recipe.training.accumulation = 4;
  const auto accumulated = workloads::make_workload({.recipe = recipe, .parameter_dtype = at::kDouble});
  const std::vector<double> expected = losses_of(*big, 4);
  const std::vector<double> losses = losses_of(*accumulated, 4);
  for (std::size_t step = 0; step < expected.size(); ++step) EXPECT_NEAR(losses[step], expected[step], 1e-12) << step;
}

TEST(LanguageModel, CountsNoGradientsOfFrozenWeights) {
  recipe::Recipe recipe = small_recipe();
  recipe.training.method = "lora";
  const workloads::WorkSize size = workloads::make_workload({.recipe = recipe})->size();
  EXPECT_EQ(size.parameters, 1'070'464);
  EXPECT_EQ(size.details["method"]["trained_parameters"], 5 * 2 * 4 * (128 + 128));
  EXPECT_EQ(size.flops_per_unit, 4 * 1'036'288.0 + 6 * (5 * 128 * 17 + 5 * 2 * 4 * (128 + 128)));
}

TEST(LanguageModel, TrainsOnFromWhatItSaved) {
  const TemporaryFolder folder;
  recipe::Recipe recipe = small_recipe();
  recipe.training.save = (folder / "saved").string();
  const auto first = workloads::make_workload({.recipe = recipe});
  losses_of(*first, 3);
  EXPECT_EQ(first->finish().size(), 1U);
  const double expected = first->evaluate()->loss;
  recipe.workload.model = recipe.training.save;
  recipe.training.weights = "safetensors:" + recipe.training.save;
  const auto second = workloads::make_workload({.recipe = recipe});
  EXPECT_EQ(second->evaluate()->loss, expected);
  const base::Json weights = second->size().details["weights"];
  EXPECT_EQ(weights["sha256"].get<std::string>().size(), 64U);
  EXPECT_EQ(second->size().parameters, 1'070'464);
}

TEST(LanguageModel, GivesTheSameLossWithPlainMathAttention) {
  recipe::Recipe recipe = small_recipe();
  const double expected = losses_of(*workloads::make_workload({.recipe = recipe}), 3).back();
  recipe.training.attention = "math";
  const auto workload = workloads::make_workload({.recipe = recipe});
  EXPECT_NEAR(losses_of(*workload, 3).back(), expected, 1e-4);
  EXPECT_EQ(workload->size().details["attention"]["backend"], "math");
}

TEST(LanguageModel, DoesNotEvaluateWhenTheRecipeWantsNone) {
  recipe::Recipe recipe = small_recipe();
  recipe.evaluation.sequences = 0;
  EXPECT_FALSE(workloads::make_workload({.recipe = recipe})->evaluate().has_value());
}

void expect_refusal(const std::function<void(recipe::Recipe&)>& change, const std::string& word) {
  recipe::Recipe recipe = small_recipe();
  change(recipe);
  try {
    workloads::make_workload({.recipe = recipe});
    FAIL() << word;
  } catch (const worker::Failure& failure) {
    EXPECT_EQ(failure.kind(), "unsupported");
    EXPECT_NE((failure.what() + failure.next_step()).find(word), std::string::npos) << failure.what();
    EXPECT_FALSE(failure.next_step().empty());
  }
}

TEST(LanguageModel, RefusesWhatItDoesNotServeInsteadOfDoingSomethingElse) {
  expect_refusal([](recipe::Recipe& recipe) { recipe.workload.family = "vision"; }, "vision");
  expect_refusal([](recipe::Recipe& recipe) { recipe.workload.context = 4096; }, "2048");
  expect_refusal([](recipe::Recipe& recipe) { recipe.training.method = "prefix"; }, "full, lora, qlora");
  expect_refusal([](recipe::Recipe& recipe) { recipe.training.checkpointing = "half"; }, "none, selective, full");
  expect_refusal([](recipe::Recipe& recipe) { recipe.training.weights = "zeros"; }, "safetensors:PATH");
  expect_refusal([](recipe::Recipe& recipe) { recipe.training.sharding = "zero3"; }, "sharding");
  expect_refusal([](recipe::Recipe& recipe) { recipe.training.attention = "cudnn"; }, "attention");
  expect_refusal([](recipe::Recipe& recipe) { recipe.training.precision = "fp4"; }, "qlora");
  expect_refusal([](recipe::Recipe& recipe) { recipe.training.precision = "int8"; }, "fp16-autocast, bf16, fp8");
  expect_refusal(
      [](recipe::Recipe& recipe) {
        recipe.training.precision = "fp8";
        recipe.training.method = "lora";
      },
      "frozen");
  expect_refusal([](recipe::Recipe& recipe) { recipe.training.precision = "tf32"; }, "tensor cores");
  expect_refusal([](recipe::Recipe& recipe) { recipe.training.schedule.name = "step"; }, "schedule");
}

TEST(LanguageModel, RefusesATokenOutsideItsVocabulary) {
  models::Llama model(models::find_llama_config("nano"), 4, at::TensorOptions(at::kFloat));
  models::initialise(model.parameters(), "normal", 1, 5);
  EXPECT_NO_THROW(model.logits(at::full({1, 4}, 255, at::kLong)));
  EXPECT_THROW(model.logits(at::full({1, 4}, 256, at::kLong)), c10::Error);
}

TEST(Catalogue, ListsEveryFamilyWithItsModels) {
  ASSERT_EQ(workloads::families().size(), 1U);
  const std::vector<workloads::ModelDescription> models = workloads::families().front().models();
  EXPECT_EQ(models.front().name, "nano");
  EXPECT_EQ(models.front().parameters, 1'070'464);
}

}  // namespace
}  // namespace etalon
