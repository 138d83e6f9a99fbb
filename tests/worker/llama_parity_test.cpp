// SPDX-License-Identifier: Apache-2.0
// The Llama model against transformers: values, gradients and ten optimiser steps in double and single precision.
#include <c10/core/GradMode.h>

#include <cmath>

#include "tests/worker/tiny_model.h"
#include "worker/models/llama.h"
#include "worker/optim/adamw.h"
#include "worker/optim/gradients.h"

namespace etalon {
namespace {

/// The limits that the fixtures' authors suggest for each precision.
struct Precision {
  at::ScalarType dtype;
  const char* key;
  double logits_absolute;
  double loss;
  double gradient_relative;
  double training_losses;
};
constexpr Precision double_precision{at::kDouble, "fp64", 1e-11, 1e-12, 1e-10, 1e-10};
constexpr Precision single_precision{at::kFloat, "fp32", 5e-5, 5e-6, 2e-5, 2e-5};

class LlamaParity : public testing::TestWithParam<std::tuple<const char*, Precision>> {
 protected:
  worker_test::TinyModel reference_ = worker_test::tiny_model(std::get<0>(GetParam()));
  Precision precision_ = std::get<1>(GetParam());
  base::Json expected_ = reference_.document[precision_.key];
  models::Llama model_ = worker_test::filled_model(reference_, precision_.dtype);

  /// The loss whose gradients and training the fixtures record: predictions inside each row only.
  at::Tensor shifted_loss() { return model_.loss(reference_.shifted_tokens, reference_.shifted_targets); }
};

TEST_P(LlamaParity, HasTheReferencesParametersAndNoOthers) {
  EXPECT_EQ(models::parameter_count(reference_.config), reference_.document["unique_parameters"].get<std::int64_t>());
  std::vector<std::string> names;
  for (const models::NamedTensor& parameter : model_.parameters()) names.push_back(parameter.name);
  std::vector<std::string> expected;
  for (const auto& item : expected_["grad_norm"].items()) expected.push_back(item.key());
  EXPECT_EQ(names, expected);
}

TEST_P(LlamaParity, GivesTheReferencesLogits) {
  const c10::NoGradGuard no_gradient;
  const at::Tensor logits = model_.logits(reference_.tokens).to(at::kDouble);
  const base::Json& rows = expected_["logits_last_position_first16"];
  for (std::int64_t row = 0; row < 2; ++row) {
    const at::Tensor expected = at::tensor(rows[static_cast<std::size_t>(row)].get<std::vector<double>>(), at::kDouble);
    const at::Tensor difference = (logits[row][-1].narrow(0, 0, 16) - expected).abs().max();
    EXPECT_LE(difference.item<double>(), precision_.logits_absolute);
  }
  const base::Json& all = expected_["logits_all"];
  const double limit = precision_.logits_absolute * static_cast<double>(logits.numel());
  EXPECT_NEAR(logits.sum().item<double>(), all["sum"].get<double>(), limit);
  EXPECT_NEAR(logits.square().sum().item<double>(), all["sq_sum"].get<double>(), limit);
}

TEST_P(LlamaParity, GivesTheReferencesLosses) {
  const c10::NoGradGuard no_gradient;
  EXPECT_NEAR(model_.loss(reference_.tokens, reference_.next_targets).item<double>(),
              expected_["loss_next_token"].get<double>(), precision_.loss);
  EXPECT_NEAR(shifted_loss().item<double>(), expected_["loss_shifted"].get<double>(), precision_.loss);
}

TEST_P(LlamaParity, GivesTheReferencesGradientOfEveryTensor) {
  shifted_loss().backward();
  double squares = 0;
  for (const models::NamedTensor& parameter : model_.parameters()) {
    const double norm = parameter.tensor.grad().to(at::kDouble).norm().item<double>();
    const double expected = expected_["grad_norm"][parameter.name];
    EXPECT_NEAR(norm, expected, precision_.gradient_relative * expected) << parameter.name;
    squares += norm * norm;
  }
  const double total = expected_["grad_total_norm"];
  EXPECT_NEAR(std::sqrt(squares), total, precision_.gradient_relative * total);
}

TEST_P(LlamaParity, FollowsTheReferenceThroughTenUpdates) {
  std::vector<at::Tensor> parameters;
  for (const models::NamedTensor& parameter : model_.parameters()) parameters.push_back(parameter.tensor);
  optim::AdamW optimizer(
      parameters,
      {.name = "adamw", .learning_rate = 1e-3, .betas = {0.9, 0.95}, .epsilon = 1e-8, .weight_decay = 0.1, .clip = 1});
  for (std::size_t step = 0; step < 10; ++step) {
    const at::Tensor loss = shifted_loss();
    EXPECT_NEAR(loss.item<double>(), expected_["adamw_losses"][step].get<double>(), precision_.training_losses)
        << "step " << step;
    loss.backward();
    const double norm = optim::clip_gradients(parameters, 1.0).item<double>();
    const double expected = expected_["adamw_preclip_grad_norms"][step];
    EXPECT_NEAR(norm, expected, 10 * precision_.gradient_relative * expected) << "step " << step;
    optimizer.update(1e-3);
  }
  EXPECT_NEAR(shifted_loss().item<double>(), expected_["adamw_losses"][10].get<double>(), precision_.training_losses);
}

INSTANTIATE_TEST_SUITE_P(Models, LlamaParity,
                         testing::Combine(testing::Values("tiny_llama_mha", "tiny_llama_gqa", "tiny_qwen2"),
                                          testing::Values(double_precision, single_precision)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_" + std::get<1>(test.param).key;
                         });

}  // namespace
}  // namespace etalon
