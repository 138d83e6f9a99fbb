// SPDX-License-Identifier: Apache-2.0
// The fused execution on the CPU against transformers' numbers and against the plain execution: losses, every gradient,
// ten optimiser steps, and what checkpointing may not change.
#include <limits>
#include <map>

#include "tests/worker/tiny_model.h"
#include "worker/fused/language_model.h"

namespace etalon {
namespace {

/// The limits that the fixtures' authors suggest for each precision.
struct Precision {
  fused::Number number;
  at::ScalarType dtype;
  const char* key;
  double loss;
  double gradient_relative;
  double training_losses;
};
constexpr Precision double_precision{fused::Number::f64, at::kDouble, "fp64", 1e-12, 1e-10, 1e-10};
constexpr Precision single_precision{fused::Number::f32, at::kFloat, "fp32", 5e-6, 2e-5, 2e-5};

const recipe::Optimizer optimizer{
    .name = "adamw", .learning_rate = 1e-3, .betas = {0.9, 0.95}, .epsilon = 1e-8, .weight_decay = 0.1, .clip = 1};

/// The tiny model of a fixture, filled with the fixture's values, on sequences of 31 predictions.
class Tiny {
 public:
  Tiny(const std::string& name, fused::Number number, const std::string& checkpointing = "none")
      : reference_(worker_test::tiny_model(name)),
        model_(reference_.config, {.number = number, .gradient = number, .batch = 2, .context = 31},
               {.optimizer = optimizer, .accumulates = true}, checkpointing, fused::make_cpu_backend()) {
    models::initialise(engine().parameters(), "fill", 0, reference_.config.layers);
    engine().take_over_parameters();
    model_.set_batch(reference_.shifted_tokens, reference_.shifted_targets);
  }

  fused::Engine& engine() { return model_.engine(); }
  double loss() const { return model_.loss().item<double>(); }
  std::map<std::string, at::Tensor> gradients() {
    std::map<std::string, at::Tensor> named;
    for (const models::NamedTensor& gradient : engine().gradients()) named[gradient.name] = gradient.tensor.clone();
    return named;
  }
  const worker_test::TinyModel& reference() const { return reference_; }

 private:
  worker_test::TinyModel reference_;
  fused::LlamaEngine model_;
};

class FusedParity : public testing::TestWithParam<std::tuple<const char*, Precision>> {
 protected:
  Precision precision_ = std::get<1>(GetParam());
  Tiny tiny_{std::get<0>(GetParam()), precision_.number};
  base::Json expected_ = tiny_.reference().document[precision_.key];
};

TEST_P(FusedParity, GivesTheReferencesGradientOfEveryPublishedTensor) {
  tiny_.engine().micro_step(true);
  EXPECT_NEAR(tiny_.loss(), expected_["loss_shifted"].get<double>(), precision_.loss);
  const std::map<std::string, at::Tensor> gradients = tiny_.gradients();
  EXPECT_EQ(gradients.size(), expected_["grad_norm"].size());
  for (const auto& [name, gradient] : gradients) {
    const double norm = gradient.to(at::kDouble).norm().item<double>();
    const double expected = expected_["grad_norm"][name];
    EXPECT_NEAR(norm, expected, precision_.gradient_relative * expected) << name;
  }
}

TEST_P(FusedParity, GivesThePlainExecutionsGradientsElementByElement) {
  models::Llama plain = worker_test::filled_model(tiny_.reference(), precision_.dtype);
  plain.loss(tiny_.reference().shifted_tokens, tiny_.reference().shifted_targets).backward();
  tiny_.engine().micro_step(true);
  std::map<std::string, at::Tensor> gradients = tiny_.gradients();
  for (const models::NamedTensor& parameter : plain.parameters()) {
    const at::Tensor difference = (gradients.at(parameter.name) - parameter.tensor.grad()).abs().max();
    const double largest = parameter.tensor.grad().abs().max().item<double>();
    EXPECT_LE(difference.item<double>(), 10 * precision_.gradient_relative * largest) << parameter.name;
  }
}

TEST_P(FusedParity, FollowsTheReferenceThroughTenUpdates) {
  for (std::size_t step = 0; step < 10; ++step) {
    tiny_.engine().micro_step(true);
    EXPECT_NEAR(tiny_.loss(), expected_["adamw_losses"][step].get<double>(), precision_.training_losses) << step;
    tiny_.engine().update(1e-3);
    const double expected = expected_["adamw_preclip_grad_norms"][step];
    EXPECT_NEAR(tiny_.engine().gradient_norm(), expected, 10 * precision_.gradient_relative * expected) << step;
  }
  tiny_.engine().evaluate();
  EXPECT_NEAR(tiny_.loss(), expected_["adamw_losses"][10].get<double>(), precision_.training_losses);
}

INSTANTIATE_TEST_SUITE_P(Models, FusedParity,
                         testing::Combine(testing::Values("tiny_llama_mha", "tiny_llama_gqa", "tiny_qwen2"),
                                          testing::Values(double_precision, single_precision)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_" + std::get<1>(test.param).key;
                         });

TEST(FusedLlama, GivesTheSameBitsWhateverIsRecomputed) {
  Tiny kept("tiny_qwen2", fused::Number::f32);
  kept.engine().micro_step(true);
  const std::map<std::string, at::Tensor> expected = kept.gradients();
  for (const char* const checkpointing : {"selective", "full"}) {
    Tiny recomputing("tiny_qwen2", fused::Number::f32, checkpointing);
    recomputing.engine().micro_step(true);
    for (const auto& [name, gradient] : recomputing.gradients()) {
      EXPECT_TRUE(at::equal(gradient, expected.at(name))) << checkpointing << " " << name;
    }
  }
}

TEST(FusedLlama, NeedsLessMemoryTheMoreIsRecomputed) {
  std::int64_t before = std::numeric_limits<std::int64_t>::max();
  for (const char* const checkpointing : {"none", "selective", "full"}) {
    const fused::LlamaList list = fused::llama_list(models::find_llama_config("nano"), {.batch = 64, .context = 256});
    const auto backend = fused::make_cpu_backend();
    const fused::EngineSettings settings{
        .optimizer = optimizer, .evaluates = false, .recomputed = fused::recomputed_for(list, checkpointing)};
    const fused::MemoryUse memory = fused::Plan(list.graph, list.parameters, *backend, settings).memory();
    EXPECT_LT(memory.activations, before) << checkpointing;
    before = memory.activations;
  }
}

TEST(FusedLlama, RepeatsAStepBitForBit) {
  Tiny tiny("tiny_llama_gqa", fused::Number::bf16);
  tiny.engine().micro_step(true);
  const std::map<std::string, at::Tensor> first = tiny.gradients();
  tiny.engine().micro_step(true);
  for (const auto& [name, gradient] : tiny.gradients()) EXPECT_TRUE(at::equal(gradient, first.at(name))) << name;
}

TEST(FusedLlama, ComputesInBfloat16NearlyWhatItComputesInDouble) {
  Tiny exact("tiny_llama_gqa", fused::Number::f64);
  Tiny rounded("tiny_llama_gqa", fused::Number::bf16);
  exact.engine().micro_step(true);
  rounded.engine().micro_step(true);
  EXPECT_NEAR(rounded.loss(), exact.loss(), 5e-3 * exact.loss());
  std::map<std::string, at::Tensor> expected = exact.gradients();
  for (const auto& [name, gradient] : rounded.gradients()) {
    const at::Tensor wide = gradient.to(at::kDouble);
    const double error = (wide - expected.at(name)).norm().item<double>();
    EXPECT_LE(error, 4e-2 * expected.at(name).norm().item<double>()) << name;
  }
}

TEST(FusedLlama, PlansExactlyTheMemoryThatItTakes) {
  Tiny tiny("tiny_llama_mha", fused::Number::f32);
  const fused::MemoryUse memory = tiny.engine().memory();
  EXPECT_EQ(memory.description()["arena_bytes"].get<std::int64_t>(), memory.total());
  EXPECT_GE(memory.parameters, 183'744 * 4);
  EXPECT_LE(memory.parameters, 183'744 * 4 + 24 * 512);
  EXPECT_GE(memory.activations, memory.least_activations);
  EXPECT_LE(static_cast<double>(memory.activations), 1.1 * static_cast<double>(memory.least_activations));
}

}  // namespace
}  // namespace etalon
