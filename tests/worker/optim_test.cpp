// SPDX-License-Identifier: Apache-2.0
// The update rule, the clipping and the schedules against recorded numbers.
#include "tests/worker/fixture.h"
#include "worker/failure.h"
#include "worker/models/initialise.h"
#include "worker/optim/adamw.h"
#include "worker/optim/catalog.h"
#include "worker/optim/gradients.h"
#include "worker/optim/schedule.h"

namespace etalon {
namespace {

/// The recorded course of a parameter under the fixture's own gradients, and under those of a parabola around 3.
void expect_course(const base::Json& document, const std::string& name, const std::string& optimizer_name) {
  const base::Json& reference = document["cases"][name];
  const base::Json& hyper = reference["hyper"];
  for (const char* kind : {"scripted", "quadratic"}) {
    // Two dimensions, because the decay is for matrices.
    const at::Tensor parameter =
        at::full({1, 1}, document["parameter_start"].get<double>(), at::kDouble).requires_grad_();
    const auto optimizer = optim::make_optimizer({parameter},
                                                 {.name = optimizer_name,
                                                  .learning_rate = 0,
                                                  .betas = hyper.value("betas", std::vector<double>{0, 0}),
                                                  .epsilon = hyper.value("eps", 1e-8),
                                                  .weight_decay = hyper.value("weight_decay", 0.0),
                                                  .momentum = hyper.value("momentum", 0.0),
                                                  .clip = 0},
                                                 false, 0);
    for (std::size_t step = 0; step < 10; ++step) {
      const bool scripted = std::string(kind) == "scripted";
      const double gradient =
          scripted ? document["scripted_gradient"][step].get<double>() : parameter.item<double>() - 3;
      parameter.mutable_grad() = at::full({1, 1}, gradient, at::kDouble);
      optimizer->update(hyper["lr"].get<double>());
      EXPECT_NEAR(parameter.item<double>(), reference[kind]["p"][step].get<double>(), 1e-13)
          << name << " " << kind << " step " << step;
    }
  }
}

TEST(Optimizers, FollowTheRecordedUpdates) {
  const base::Json document = worker_test::parity("optim_schedule");
  expect_course(document, "adamw_default", "adamw");
  expect_course(document, "adamw_llm", "adamw");
  expect_course(document, "adam_l2", "adam");
  expect_course(document, "sgd", "sgd");
  expect_course(document, "sgd_momentum", "sgd");
  expect_course(document, "sgd_nesterov", "sgd-nesterov");
}

TEST(Optimizers, AreRefusedByNameWithThoseThereAre) {
  try {
    optim::make_optimizer({at::ones({2})}, {.name = "lion", .betas = {0.9, 0.95}}, false, 0);
    FAIL();
  } catch (const worker::Failure& failure) {
    EXPECT_NE(failure.next_step().find("adamw, adam, sgd, sgd-nesterov"), std::string::npos);
  }
  EXPECT_THROW(optim::make_optimizer({at::ones({2})}, {.name = "sgd-nesterov", .betas = {}}, false, 0),
               worker::Failure);
  EXPECT_THROW(optim::make_optimizer({at::ones({2})}, {.name = "sgd", .betas = {}}, /*stochastic=*/true, 0),
               worker::Failure);
}

TEST(AdamW, DecaysMatricesOnlyAndDropsTheGradients) {
  const at::Tensor matrix = at::ones({2, 2}, at::kDouble).requires_grad_();
  const at::Tensor norm = at::ones({2}, at::kDouble).requires_grad_();
  optim::AdamW optimizer(
      {matrix, norm},
      {.name = "adamw", .learning_rate = 0, .betas = {0.9, 0.95}, .epsilon = 1e-8, .weight_decay = 0.5, .clip = 0});
  matrix.mutable_grad() = at::zeros_like(matrix);
  norm.mutable_grad() = at::zeros_like(norm);
  optimizer.update(0.1);
  EXPECT_TRUE(at::allclose(matrix, at::full_like(matrix, 0.95)));
  EXPECT_TRUE(at::equal(norm, at::ones_like(norm)));
  EXPECT_FALSE(matrix.grad().defined());
}

TEST(Clipping, ScalesByTheRecordedCoefficient) {
  const base::Json expected = worker_test::parity("optim_schedule")["clip_global_norm"];
  const at::Tensor matrix = at::zeros({3, 4}, at::kDouble).requires_grad_();
  const at::Tensor bias = at::zeros({5}, at::kDouble).requires_grad_();
  for (const auto& [name, tensor] : {std::pair{"clip_a.weight", matrix}, std::pair{"clip_b.bias", bias}}) {
    const at::Tensor gradient = at::empty(tensor.sizes(), at::kDouble);
    models::fill({name, gradient});
    tensor.mutable_grad() = gradient * 3;
  }
  EXPECT_NEAR(optim::clip_gradients({matrix, bias}, 1.0).item<double>(), expected["norm_before"].get<double>(), 1e-12);
  EXPECT_NEAR(matrix.grad()[0][0].item<double>(), expected["a_after"][0].get<double>(), 1e-12);
  EXPECT_NEAR(bias.grad()[4].item<double>(), expected["b_after"][4].get<double>(), 1e-12);
  EXPECT_NEAR(optim::clip_gradients({matrix, bias}, 0).item<double>(), expected["norm_after"].get<double>(), 1e-12);
}

TEST(Clipping, LeavesASmallGradientAlone) {
  const at::Tensor parameter = at::zeros({2}, at::kDouble).requires_grad_();
  parameter.mutable_grad() = at::tensor({0.3, 0.4}, at::kDouble);
  optim::clip_gradients({parameter}, 1.0);
  EXPECT_EQ(parameter.grad()[1].item<double>(), 0.4);
}

TEST(Schedule, FollowsTransformersCosineFromItsFirstRateOfZero) {
  const base::Json expected = worker_test::parity("optim_schedule")["cosine_with_warmup"]["lr"];
  const recipe::Schedule schedule{.name = "cosine", .warmup_steps = 5, .total_steps = 20, .final_fraction = 0};
  for (std::size_t step = 0; step <= 20; ++step) {
    EXPECT_NEAR(optim::learning_rate(schedule, 1e-3, static_cast<std::int64_t>(step)), expected[step].get<double>(),
                1e-18)
        << step;
  }
}

TEST(Schedule, FallsToItsFloorAndStaysThere) {
  const base::Json expected = worker_test::parity("optim_schedule")["cosine_with_warmup_and_floor"]["lr"];
  const recipe::Schedule schedule{.name = "cosine", .warmup_steps = 5, .total_steps = 20, .final_fraction = 0.1};
  for (std::size_t step = 5; step <= 20; ++step) {
    EXPECT_NEAR(optim::learning_rate(schedule, 1e-3, static_cast<std::int64_t>(step)), expected[step].get<double>(),
                1e-17)
        << step;
  }
  EXPECT_DOUBLE_EQ(optim::learning_rate(schedule, 1e-3, 100'000), 1e-4);
}

TEST(Schedule, StaysConstantAfterTheWarmUpWhenAskedTo) {
  const recipe::Schedule schedule{.name = "constant", .warmup_steps = 4, .total_steps = 20, .final_fraction = 0.1};
  EXPECT_EQ(optim::learning_rate(schedule, 2, 1), 0.5);
  EXPECT_EQ(optim::learning_rate(schedule, 2, 4), 2);
  EXPECT_EQ(optim::learning_rate(schedule, 2, 400), 2);
}

TEST(Schedule, WithoutWarmUpStartsAtItsPeak) {
  const recipe::Schedule schedule{.name = "cosine", .warmup_steps = 0, .total_steps = 10, .final_fraction = 0.5};
  EXPECT_EQ(optim::learning_rate(schedule, 2, 0), 2);
  EXPECT_THROW(optim::learning_rate({.name = "step"}, 2, 0), worker::Failure);
}

}  // namespace
}  // namespace etalon
