// SPDX-License-Identifier: Apache-2.0
// LoRA against PEFT's numbers, QLoRA against LoRA over the dequantised weights, and what each saves.
#include <c10/core/GradMode.h>

#include <fstream>

#include "tests/worker/tiny_model.h"
#include "worker/failure.h"
#include "worker/methods/adapters.h"
#include "worker/methods/catalog.h"
#include "worker/models/nf4.h"
#include "worker/models/safetensors.h"
#include "worker/optim/adamw.h"
#include "worker/optim/gradients.h"

namespace etalon {
namespace {

const std::vector<std::string> all_targets{"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"};

/// A tiny model built by a method; its parts live together.
struct Trained {
  Trained(const std::string& method_name, at::ScalarType type, const std::string& weights_word = "fill")
      : reference(worker_test::tiny_model("tiny_llama_mha")), precision("fp32", at::kCPU) {
    training.method = method_name;
    training.lora = {.rank = 8, .alpha = 16, .targets = all_targets};
    weights = models::make_weight_source(weights_word, reference.config, 1);
    method = methods::make_method({training, reference.config, precision, *weights, at::TensorOptions(type)});
    model.emplace(reference.config, 32, at::TensorOptions(type), *method, models::find_checkpointing("none"));
  }
  at::Tensor shifted_loss() const { return model->loss(reference.shifted_tokens, reference.shifted_targets); }

  worker_test::TinyModel reference;
  recipe::Training training;
  precision::Precision precision;
  std::unique_ptr<models::WeightSource> weights;
  std::unique_ptr<methods::Method> method;
  std::optional<models::Llama> model;
};

struct Limits {
  at::ScalarType type;
  const char* key;
  double logits;
  double loss;
  double gradient_relative;
  double training_losses;
};

class LoraParity : public testing::TestWithParam<Limits> {
 protected:
  Limits limits_ = GetParam();
  base::Json expected_ = worker_test::parity("lora_tiny_llama_mha")[limits_.key];
  Trained trained_{"lora", limits_.type};
};

TEST_P(LoraParity, GivesPeftsLogits) {
  const c10::NoGradGuard no_gradient;
  const at::Tensor logits = trained_.model->logits(trained_.reference.tokens).to(at::kDouble);
  for (std::int64_t row = 0; row < 2; ++row) {
    const auto numbers = expected_["logits_last_position_first16"][static_cast<std::size_t>(row)];
    const at::Tensor expected = at::tensor(numbers.get<std::vector<double>>(), at::kDouble);
    EXPECT_LE((logits[row][-1].narrow(0, 0, 16) - expected).abs().max().item<double>(), limits_.logits);
  }
  EXPECT_NEAR(logits.sum().item<double>(), expected_["logits_all"]["sum"].get<double>(),
              limits_.logits * expected_["logits_all"]["abs_sum"].get<double>());
}

TEST_P(LoraParity, GivesGradientsToTheAdaptersAlone) {
  const at::Tensor loss = trained_.shifted_loss();
  EXPECT_NEAR(loss.item<double>(), expected_["loss_shifted"].get<double>(), limits_.loss);
  loss.backward();
  EXPECT_EQ(trained_.model->parameters().size(), expected_["grad_norm"].size());
  for (const models::NamedTensor& parameter : trained_.model->parameters()) {
    const double norm = expected_["grad_norm"][parameter.name];
    EXPECT_NEAR(parameter.tensor.grad().norm().item<double>(), norm, limits_.gradient_relative * norm)
        << parameter.name;
  }
}

TEST_P(LoraParity, FollowsPeftThroughTenUpdates) {
  const std::vector<at::Tensor> parameters = trained_.method->trained_tensors();
  optim::AdamW optimizer(
      parameters,
      {.name = "adamw", .learning_rate = 1e-3, .betas = {0.9, 0.95}, .epsilon = 1e-8, .weight_decay = 0.1, .clip = 1});
  for (std::size_t step = 0; step < 10; ++step) {
    const at::Tensor loss = trained_.shifted_loss();
    EXPECT_NEAR(loss.item<double>(), expected_["adamw_losses"][step].get<double>(), limits_.training_losses) << step;
    loss.backward();
    optim::clip_gradients(parameters, 1.0);
    optimizer.update(1e-3);
  }
  EXPECT_NEAR(trained_.shifted_loss().item<double>(), expected_["adamw_losses"][10].get<double>(),
              limits_.training_losses);
}

INSTANTIATE_TEST_SUITE_P(Precisions, LoraParity,
                         testing::Values(Limits{at::kDouble, "fp64", 1e-11, 1e-11, 1e-10, 1e-9},
                                         Limits{at::kFloat, "fp32", 2e-4, 2e-5, 5e-5, 5e-4}),
                         [](const auto& test) { return test.param.key; });

TEST(Lora, HasPeftsNamesShapesAndCount) {
  const Trained trained("lora", at::kFloat);
  std::ifstream table(std::string(ETALON_FIXTURES) + "/parity/llm/lora_tiny_llama_mha.params.tsv");
  std::string line;
  std::getline(table, line);
  for (const models::NamedTensor& parameter : trained.method->trained()) {
    ASSERT_TRUE(std::getline(table, line));
    const auto sizes = parameter.tensor.sizes();
    EXPECT_TRUE(
        line.starts_with(parameter.name + "\t" + std::to_string(sizes[0]) + "x" + std::to_string(sizes[1]) + "\t"))
        << line;
  }
  EXPECT_FALSE(std::getline(table, line));
  EXPECT_EQ(trained.method->trained_count(), 29'568);
  EXPECT_EQ(trained.method->description()["frozen_parameters"], 183'744);
}

TEST(Lora, CountsThePublishedNumbersOfTrainedParameters) {
  const models::LlamaConfig& config = models::find_llama_config("llama-2-7b");
  EXPECT_EQ(methods::adapter_parameters(config, {.rank = 16, .targets = {"q_proj", "k_proj", "v_proj", "o_proj"}}),
            16'777'216);
  EXPECT_EQ(methods::adapter_parameters(config, {.rank = 16, .targets = all_targets}), 39'976'960);
}

TEST(Lora, StartsFromTheUnchangedModel) {
  const c10::NoGradGuard no_gradient;
  const Trained full("full", at::kDouble, "random");
  const Trained lora("lora", at::kDouble, "random");
  EXPECT_TRUE(at::equal(full.model->logits(full.reference.tokens), lora.model->logits(lora.reference.tokens)));
}

TEST(Lora, SavesWhatPeftReads) {
  const TemporaryFolder folder;
  const Trained trained("lora", at::kFloat);
  trained.method->save(folder / "adapters");
  const models::Checkpoint checkpoint(folder / "adapters/adapter_model.safetensors");
  EXPECT_EQ(checkpoint.names().size(), 42U);
  const at::Tensor read = at::empty({8, 64});
  checkpoint.copy_into({"base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight", read});
  EXPECT_TRUE(at::equal(read, trained.method->trained().front().tensor));
  const base::Json config = base::parse_json(base::read_file(folder / "adapters/adapter_config.json"), "saved");
  const base::Json reference = worker_test::parity("lora_tiny_llama_mha")["saved_adapter_config_fields"];
  for (const auto& [field, value] : reference.items()) {
    if (field != "target_modules") {  // a set, written in any order
      EXPECT_EQ(config[field], value) << field;
    }
  }
  EXPECT_EQ(config["target_modules"].size(), 7U);
}

TEST(Lora, RefusesTargetsThatAreNotThere) {
  const std::vector<std::vector<std::string>> wrong{{}, {"lm_head"}, {"q_proj", "q_proj"}, {"q_proj "}};
  for (const std::vector<std::string>& targets : wrong) {
    recipe::Training training;
    training.method = "lora";
    training.lora = {.rank = 2, .alpha = 2, .targets = targets};
    const precision::Precision precision("fp32", at::kCPU);
    const models::LlamaConfig& config = models::find_llama_config("nano");
    const auto weights = models::make_weight_source("random", config, 1);
    EXPECT_THROW(methods::make_method({training, config, precision, *weights, at::TensorOptions(at::kFloat)}),
                 worker::Failure);
  }
}

TEST(Qlora, ComputesWithTheDequantisedWeightsAndFollowsLoraOverThem) {
  const TemporaryFolder folder;
  const worker_test::TinyModel reference = worker_test::tiny_model("tiny_llama_mha");
  models::Llama model = worker_test::filled_model(reference, at::kFloat);
  std::vector<models::NamedTensor> rounded;
  for (const models::NamedTensor& parameter : model.parameters()) {
    const bool quantised = parameter.name.ends_with("_proj.weight");
    const at::Tensor values = parameter.tensor.detach();
    rounded.push_back({parameter.name, quantised ? models::dequantise_nf4(models::quantise_nf4(values)) : values});
  }
  models::save_safetensors(folder / "model.safetensors", rounded);
  const Trained qlora("qlora", at::kDouble);
  const Trained lora("lora", at::kDouble, "safetensors:" + folder.path().string());
  {  // the adapters of `lora` were drawn at random
    const c10::NoGradGuard no_gradient;
    for (std::size_t index = 0; index < qlora.method->trained().size(); ++index) {
      lora.method->trained()[index].tensor.copy_(qlora.method->trained()[index].tensor);
    }
  }
  const at::Tensor loss = qlora.shifted_loss();
  const at::Tensor expected = lora.shifted_loss();
  EXPECT_NEAR(loss.item<double>(), expected.item<double>(), 1e-12);
  loss.backward();
  expected.backward();
  for (std::size_t index = 0; index < qlora.method->trained().size(); ++index) {
    EXPECT_TRUE(at::allclose(qlora.method->trained()[index].tensor.grad(), lora.method->trained()[index].tensor.grad(),
                             1e-10, 1e-12))
        << index;
  }
  EXPECT_GT(std::abs(loss.item<double>() - Trained("lora", at::kDouble).shifted_loss().item<double>()), 1e-3);
}

TEST(Qlora, KeepsFourBitsAndAnEighthOfAWeight) {
  const Trained qlora("qlora", at::kFloat);
  const std::int64_t weights = 3 * (4 * 64 * 64 + 3 * 64 * 176);
  const auto bytes = qlora.method->description()["frozen_linear_layers"]["bytes"].get<double>();
  EXPECT_NEAR(8 * bytes / static_cast<double>(weights), 4.127, 0.02);
}

}  // namespace
}  // namespace etalon
