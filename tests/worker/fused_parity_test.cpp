// SPDX-License-Identifier: Apache-2.0
// The fused execution on the CPU against transformers' numbers and against the plain execution: losses, every gradient,
// ten optimiser steps, and what checkpointing may not change.
#include <cmath>

#include "tests/worker/fixture.h"
#include "worker/fused/language_model.h"
#include "worker/models/initialise.h"
#include "worker/models/llama.h"

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

models::LlamaConfig config_of(const base::Json& document) {
  const base::Json& config = document["config"];
  return {.name = "tiny",
          .layers = config["num_hidden_layers"],
          .width = config["hidden_size"],
          .heads = config["num_attention_heads"],
          .key_value_heads = config["num_key_value_heads"],
          .mlp_width = config["intermediate_size"],
          .vocabulary = config["vocab_size"],
          .longest_context = 32,
          .norm_epsilon = config["rms_norm_eps"],
          .rope_theta = document["rope_theta"],
          .tied_head = config["tie_word_embeddings"],
          .qkv_bias = document["qkv_bias"]};
}

/// The tiny model of a fixture, filled with the fixture's values, on sequences of 31 predictions.
class Tiny {
 public:
  Tiny(const std::string& name, fused::Number number, const std::string& checkpointing = "none")
      : document_(worker_test::parity(name)),
        config_(config_of(document_)),
        model_(config_, {.number = number, .gradient = number, .batch = 2, .context = 31},
               {.optimizer = optimizer, .accumulates = true}, checkpointing, fused::make_cpu_backend()) {
    std::vector<models::NamedTensor> parameters = engine().parameters();
    models::initialise(parameters, "fill", 0, config_.layers);
    engine().take_over_parameters();
    const at::Tensor stream = at::tensor(document_["tokens"].get<std::vector<std::int64_t>>(), at::kLong);
    tokens_ = stream.narrow(0, 0, 64).view({2, 32}).narrow(1, 0, 31);
    targets_ = stream.narrow(0, 0, 64).view({2, 32}).narrow(1, 1, 31);
    model_.set_batch(tokens_, targets_);
  }

  fused::Engine& engine() { return model_.engine(); }
  double loss() const { return model_.loss().item<double>(); }
  std::map<std::string, at::Tensor> gradients() {
    std::map<std::string, at::Tensor> named;
    for (const models::NamedTensor& gradient : engine().gradients()) named[gradient.name] = gradient.tensor.clone();
    return named;
  }
  const models::LlamaConfig& config() const { return config_; }
  const base::Json& document() const { return document_; }
  const at::Tensor& tokens() const { return tokens_; }
  const at::Tensor& targets() const { return targets_; }

 private:
  base::Json document_;
  models::LlamaConfig config_;
  fused::LlamaEngine model_;
  at::Tensor tokens_, targets_;
};

class FusedParity : public testing::TestWithParam<std::tuple<const char*, Precision>> {
 protected:
  Precision precision_ = std::get<1>(GetParam());
  Tiny tiny_{std::get<0>(GetParam()), precision_.number};
  base::Json expected_ = tiny_.document()[precision_.key];
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
  models::Llama plain(tiny_.config(), 32, at::TensorOptions(precision_.dtype));
  models::initialise(plain.parameters(), "fill", 0, tiny_.config().layers);
  plain.loss(tiny_.tokens(), tiny_.targets()).backward();
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

TEST(FusedLlama, GivesTheSameBitsWhateverIsRecomputedAndNeedsLessMemory) {
  Tiny kept("tiny_qwen2", fused::Number::f32);
  kept.engine().micro_step(true);
  const std::map<std::string, at::Tensor> expected = kept.gradients();
  std::int64_t activations = kept.engine().memory().activations;
  for (const char* const checkpointing : {"selective", "full"}) {
    Tiny recomputing("tiny_qwen2", fused::Number::f32, checkpointing);
    recomputing.engine().micro_step(true);
    for (const auto& [name, gradient] : recomputing.gradients()) {
      EXPECT_TRUE(at::equal(gradient, expected.at(name))) << checkpointing << " " << name;
    }
    EXPECT_LT(recomputing.engine().memory().activations, activations) << checkpointing;
    activations = recomputing.engine().memory().activations;
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
