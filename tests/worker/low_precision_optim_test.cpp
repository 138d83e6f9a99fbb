// SPDX-License-Identifier: Apache-2.0
// Stochastic rounding and the updates that rest on it; the gradient scaler against its recorded course.
#include "tests/worker/fixture.h"
#include "worker/optim/adamw.h"
#include "worker/optim/gradient_scaler.h"
#include "worker/optim/step_boundary.h"
#include "worker/optim/stochastic_adamw.h"
#include "worker/optim/stochastic_rounding.h"

namespace etalon {
namespace {

TEST(StochasticRounding, ChoosesOneOfTheTwoNeighboursAndIsUnbiased) {
  // A quarter of the way from 1 to the next bfloat16, 1 + 2^-7.
  const double value = 1 + 0.25 / 128;
  const at::Tensor rounded = optim::round_stochastically(at::full({400'000}, value, at::kFloat), 42, 0).to(at::kDouble);
  EXPECT_TRUE(at::logical_or(rounded == 1, rounded == 1 + 1.0 / 128).all().item<bool>());
  const double share_up = (rounded > 1).to(at::kDouble).mean().item<double>();
  EXPECT_NEAR(share_up, 0.25, 5 * std::sqrt(0.25 * 0.75 / 400'000));
}

TEST(StochasticRounding, IsUnbiasedOverAllMagnitudesAndSigns) {
  at::manual_seed(1);
  at::Tensor exact = at::randn({1 << 20}) * at::randn({1 << 20}).exp();
  exact.masked_fill_(exact == 0, 1);  // relative to nothing there is no error
  const at::Tensor error = optim::round_stochastically(exact, 7, 0).to(at::kDouble) - exact.to(at::kDouble);
  const at::Tensor relative = error / exact.to(at::kDouble);
  EXPECT_NEAR(relative.mean().item<double>(), 0, 5 * relative.std().item<double>() / 1024);
  EXPECT_LT(relative.abs().max().item<double>(), 1.0 / 128);
}

TEST(StochasticRounding, KeepsWhatBfloat16Holds) {
  const at::Tensor exact = at::tensor({0.0F, -0.0F, 1.0F, -3.5F, INFINITY, -INFINITY, NAN, 0x1p-126F});
  const at::Tensor rounded = optim::round_stochastically(exact, 1, 0).to(at::kFloat);
  EXPECT_TRUE(at::equal(rounded.nan_to_num(77, 88, 99), exact.nan_to_num(77, 88, 99)));
}

TEST(StochasticRounding, DependsOnKeyAndPositionAlone) {
  const at::Tensor exact = at::randn({1000});
  const at::Tensor whole = optim::round_stochastically(exact, 5, 0);
  EXPECT_TRUE(at::equal(whole.narrow(0, 300, 700), optim::round_stochastically(exact.narrow(0, 300, 700), 5, 300)));
  EXPECT_FALSE(at::equal(whole, optim::round_stochastically(exact, 6, 0)));
  EXPECT_FALSE(at::equal(whole, optim::round_stochastically(exact, 5 + (std::uint64_t{1} << 32), 0)));
}

recipe::Optimizer adamw(double weight_decay) {
  return {.name = "adamw", .learning_rate = 0, .betas = {0.9, 0.95}, .epsilon = 1e-8, .weight_decay = weight_decay};
}

/// Parameters after a hundred updates of 1e-4, from ones, under the same gradient.
template <class Optimizer>
at::Tensor after_small_updates(at::ScalarType type, Optimizer make) {
  const at::Tensor parameter = at::ones({64, 64}, type).requires_grad_();
  auto optimizer = make(parameter);
  for (int step = 0; step < 100; ++step) {
    parameter.mutable_grad() = at::full({64, 64}, 0.5, type);
    optimizer.update(1e-4);
  }
  return parameter.detach().to(at::kFloat);
}

TEST(StochasticAdamW, MakesUpdatesThatRoundingToNearestWouldLose) {
  const at::Tensor exact =
      after_small_updates(at::kFloat, [](const at::Tensor& parameter) { return optim::AdamW({parameter}, adamw(0)); });
  const auto stochastic = [](std::int64_t seed) {
    return after_small_updates(at::kBFloat16, [seed](const at::Tensor& parameter) {
      return optim::StochasticAdamW({parameter}, adamw(0), seed);
    });
  };
  EXPECT_NEAR(exact.mean().item<double>(), 0.99, 1e-3);  // every update is below half a step of bfloat16
  EXPECT_NEAR(stochastic(1).mean().item<double>(), exact.mean().item<double>(), 5e-4);
  EXPECT_TRUE(at::equal(stochastic(1), stochastic(1)));
  EXPECT_FALSE(at::equal(stochastic(1), stochastic(2)));
}

TEST(StochasticAdamW, DecaysMatricesOnly) {
  const at::Tensor matrix = at::ones({2, 2}, at::kBFloat16).requires_grad_();
  const at::Tensor norm = at::ones({2}, at::kBFloat16).requires_grad_();
  optim::StochasticAdamW optimizer({matrix, norm}, adamw(0.5), 1);
  matrix.mutable_grad() = at::zeros_like(matrix);
  norm.mutable_grad() = at::zeros_like(norm);
  optimizer.update(0.5);
  EXPECT_TRUE(at::equal(matrix.detach(), at::full_like(matrix, 0.75)));
  EXPECT_TRUE(at::equal(norm.detach(), at::ones_like(norm)));
  EXPECT_FALSE(matrix.grad().defined());
}

/// The toy of the fixture: p starts at 1, its gradient is 0.5, plain descent at 0.125; bad steps get `bad` instead.
void expect_course(const base::Json& course, std::int64_t interval) {
  optim::GradientScaler scaler(at::kCPU, 65536, interval);
  double value = 1;
  for (const base::Json& expected : course) {
    EXPECT_EQ(scaler.scale(), expected["scale_used"].get<double>());
    const at::Tensor parameter = at::ones({1}).requires_grad_();
    scaler.scaled((parameter * 0.5).sum()).backward();
    if (expected["skipped"].get<bool>()) parameter.mutable_grad().fill_(INFINITY);
    const at::Tensor overflow = scaler.unscale({parameter});
    EXPECT_EQ(overflow.item<float>() == 1, expected["skipped"].get<bool>());
    if (overflow.item<float>() == 0) value -= 0.125 * parameter.grad().item<double>();
    scaler.adapt(overflow);
    EXPECT_EQ(value, expected["p_after"].get<double>()) << expected["step"];
    EXPECT_EQ(scaler.scale(), expected["scale_after"].get<double>()) << expected["step"];
  }
}

TEST(GradientScaler, FollowsTheRecordedCourse) {
  const base::Json recorded = worker_test::parity("optim_schedule")["grad_scaler"];
  expect_course(recorded["interval_2000_inf_at_3"], 2000);
  expect_course(recorded["interval_3_nonfinite_at_3_9_10"], 3);
}

recipe::Training half_precision() {
  recipe::Training training = worker_test::small_recipe().training;
  training.precision = "fp16-autocast";
  training.schedule = {.name = "constant", .warmup_steps = 0, .total_steps = 10};
  return training;
}

TEST(StepBoundary, SkipsAStepThatOverflowedAndSaysHowMany) {
  const at::Tensor parameter = at::ones({2, 2}).requires_grad_();
  optim::StepBoundary boundary({parameter}, half_precision(), precision::Precision("fp16-autocast", at::kCPU));
  boundary.backward((parameter * INFINITY).sum());
  boundary.update();
  EXPECT_TRUE(at::equal(parameter.detach(), at::ones({2, 2})));
  EXPECT_FALSE(parameter.grad().defined());
  boundary.backward(parameter.sum());
  boundary.update();
  EXPECT_FALSE(at::equal(parameter.detach(), at::ones({2, 2})));
  EXPECT_EQ(boundary.remark(),
            "1 of 2 optimiser steps were skipped because a gradient overflowed float16; the loss scale is now 32768");
}

TEST(StepBoundary, TakesTheSameStepWithTheScalerAsWithout) {
  const at::Tensor scaled = at::ones({2, 2}).requires_grad_();
  const at::Tensor plain = at::ones({2, 2}).requires_grad_();
  optim::StepBoundary with({scaled}, half_precision(), precision::Precision("fp16-autocast", at::kCPU));
  optim::StepBoundary without({plain}, half_precision(), precision::Precision("fp32", at::kCPU));
  for (int step = 0; step < 3; ++step) {
    with.backward(scaled.square().sum());
    with.update();
    without.backward(plain.square().sum());
    without.update();
  }
  EXPECT_TRUE(at::equal(scaled.detach(), plain.detach()));
  EXPECT_FALSE(without.remark().has_value());
}

TEST(StepBoundary, AddsUpMicroBatchesAndUpdatesOnlyWhenTold) {
  recipe::Training training = half_precision();
  training.precision = "fp32";
  training.accumulation = 4;
  const at::Tensor parameter = at::ones({2}).requires_grad_();
  optim::StepBoundary boundary({parameter}, training, precision::Precision("fp32", at::kCPU));
  for (int micro = 0; micro < 4; ++micro) boundary.backward(parameter.sum() * (micro + 1));
  EXPECT_TRUE(at::equal(parameter.grad(), at::full({2}, 2.5)));
  EXPECT_TRUE(at::equal(parameter.detach(), at::ones({2})));
  boundary.update();
  EXPECT_FALSE(parameter.grad().defined());
}

}  // namespace
}  // namespace etalon
