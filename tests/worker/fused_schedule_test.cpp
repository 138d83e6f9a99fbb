// SPDX-License-Identifier: Apache-2.0
// The reversal and the memory plan on small lists of their own: values used twice, in place, dropped and made again.
#include <gtest/gtest.h>

#include <map>

#include "worker/failure.h"
#include "worker/fused/engine.h"
#include "worker/fused/operations/add.h"
#include "worker/fused/operations/head_loss.h"
#include "worker/fused/operations/linear.h"
#include "worker/fused/operations/rms_norm.h"
#include "worker/fused/operations/swiglu.h"

namespace etalon {
namespace {

using fused::Graph;
using fused::Number;
using fused::ValueId;

constexpr std::int64_t rows = 6;
constexpr std::int64_t width = 8;
const recipe::Optimizer optimizer{
    .name = "adamw", .learning_rate = 1e-3, .betas = {0.9, 0.95}, .epsilon = 1e-8, .weight_decay = 0, .clip = 0};

/// A list under construction whose only input is a table of rows, trained like a weight.
struct List {
  Graph graph{Number::f64};
  std::vector<fused::StoredParameter> parameters;
  ValueId targets = graph.input("targets", Number::i64, rows, 1);
  ValueId loss = graph.result("loss", Number::f64);

  ValueId matrix(const std::string& name, std::int64_t outputs, std::int64_t inputs) {
    const ValueId id = graph.parameter(name, outputs, inputs, Number::f64, Number::f64);
    parameters.push_back({id, {{name, {outputs, inputs}}}});
    return id;
  }
  ValueId vector(const std::string& name, std::int64_t count) {
    const ValueId id = graph.parameter(name, 1, count, Number::f64, Number::f64);
    parameters.push_back({id, {{name, {count}}}});
    return id;
  }
};

/// Mean loss as a function of the parameters, and its gradients, by the engine.
class Trained {
 public:
  explicit Trained(List list, std::set<ValueId> recomputed = {})
      : targets_(list.targets),
        loss_(list.loss),
        engine_(std::move(list.graph), list.parameters, fused::make_cpu_backend(),
                {.optimizer = optimizer, .recomputed = std::move(recomputed)}) {
    at::manual_seed(5);
    for (const models::NamedTensor& parameter : engine_.parameters()) {
      parameter.tensor.copy_(at::randn(parameter.tensor.sizes(), at::kDouble));
    }
    engine_.tensor(targets_).copy_(at::arange(rows, at::kLong).view({rows, 1}).remainder(3));
  }

  double loss() {
    engine_.evaluate();
    return engine_.tensor(loss_).item<double>();
  }
  /// The largest difference between a gradient and the slope of the loss, over all elements.
  double gradient_error() {
    engine_.micro_step(true);
    double worst = 0;
    const std::vector<models::NamedTensor> gradients = engine_.gradients();
    const std::vector<models::NamedTensor> parameters = engine_.parameters();
    for (std::size_t index = 0; index < gradients.size(); ++index) {  // those that are trained come first
      const at::Tensor weights = parameters[index].tensor.view({-1});
      for (std::int64_t element = 0; element < weights.numel(); ++element) {
        constexpr double step = 1e-5;
        const at::Tensor weight = weights[element];
        weight.add_(step);
        const double above = loss();
        weight.sub_(2 * step);
        const double below = loss();
        weight.add_(step);
        const double gradient = gradients[index].tensor.view({-1})[element].item<double>();
        worst = std::max(worst, std::abs(gradient - (above - below) / (2 * step)));
      }
    }
    return worst;
  }
  fused::Engine& engine() { return engine_; }

 private:
  ValueId targets_, loss_;
  fused::Engine engine_;
};

/// `x` is a product of two weights, so that something flows back into it.
ValueId starting_value(List& list) {
  return fused::linear(list.graph, "x", list.matrix("rows", rows, width), list.matrix("first", width, width));
}

void finish(List& list, ValueId last) {
  fused::head_loss(list.graph, last, list.matrix("head", 5, width), list.targets, list.loss, {});
}

TEST(Reversal, SumsTheGradientsOfAValueThatProductsUseTwice) {
  List list;
  const ValueId x = starting_value(list);
  const ValueId one = fused::linear(list.graph, "one", x, list.matrix("left", width, width));
  const ValueId other = fused::linear(list.graph, "other", x, list.matrix("right", width, width));
  finish(list, fused::add(list.graph, "sum", one, other));
  EXPECT_LT(Trained(std::move(list)).gradient_error(), 1e-8);
}

TEST(Reversal, SumsWhereTheOperationItselfCannotAdd) {
  List list;
  const ValueId x = starting_value(list);
  const ValueId gate_up = fused::linear(list.graph, "gate_up", x, list.matrix("wide", 2 * width, width));
  const ValueId product = fused::swiglu(list.graph, "first product", gate_up);
  const ValueId again = fused::swiglu(list.graph, "second product", gate_up);
  finish(list, fused::add(list.graph, "sum", product, again));
  // Two products of three factors: the slope itself, taken from differences, is good to 1e-6.
  EXPECT_LT(Trained(std::move(list)).gradient_error(), 1e-5);
}

TEST(Reversal, PassesResidualStreamsThroughNormalisationsAndSums) {
  List list;
  const ValueId x = starting_value(list);
  const fused::Normalised first = fused::rms_norm(list.graph, "a", x, fused::no_value, list.vector("wa", width), 1e-5);
  const ValueId delta = fused::linear(list.graph, "delta", first.normal, list.matrix("mix", width, width));
  const fused::Normalised second =
      fused::rms_norm(list.graph, "b", first.stream, delta, list.vector("wb", width), 1e-5);
  finish(list, fused::add(list.graph, "sum", second.normal, second.stream));
  EXPECT_LT(Trained(std::move(list)).gradient_error(), 1e-8);
}

TEST(Reversal, MakesDroppedValuesAgainAndGivesTheSameBits) {
  const auto build = [](std::set<ValueId>& dropped) {
    List list;
    const ValueId x = starting_value(list);
    const fused::Normalised norm = fused::rms_norm(list.graph, "a", x, fused::no_value, list.vector("wa", width), 1e-5);
    const ValueId gate_up = fused::linear(list.graph, "gate_up", norm.normal, list.matrix("wide", 2 * width, width));
    const ValueId product = fused::swiglu(list.graph, "product", gate_up);
    dropped = {norm.normal, gate_up, product};
    finish(list, product);
    return list;
  };
  std::set<ValueId> dropped;
  Trained kept(build(dropped));
  Trained recomputed(build(dropped), dropped);
  kept.engine().micro_step(true);
  recomputed.engine().micro_step(true);
  for (std::size_t index = 0; index < kept.engine().gradients().size(); ++index) {
    EXPECT_TRUE(at::equal(kept.engine().gradients()[index].tensor, recomputed.engine().gradients()[index].tensor));
  }
}

TEST(Engine, LeavesAParameterThatIsNotTrainedAsItIs) {
  List list;
  const ValueId x = starting_value(list);
  const ValueId frozen = list.graph.parameter("frozen", width, width, Number::f64, Number::f64, /*trained=*/false);
  list.parameters.push_back({frozen, {{"frozen", {width, width}}}});
  finish(list, fused::linear(list.graph, "y", x, frozen));
  Trained trained(std::move(list));
  EXPECT_LT(trained.gradient_error(), 1e-8);  // of the three that are trained
  std::map<std::string, at::Tensor> before;
  for (const models::NamedTensor& weight : trained.engine().parameters()) before[weight.name] = weight.tensor.clone();
  trained.engine().update(1e-2);
  for (const models::NamedTensor& weight : trained.engine().parameters()) {
    EXPECT_EQ(at::equal(weight.tensor, before[weight.name]), weight.name == "frozen") << weight.name;
  }
}

TEST(Reversal, RefusesALossThatIsNotTheLastOperation) {
  List list;
  const ValueId x = starting_value(list);
  finish(list, x);
  fused::linear(list.graph, "y", x, list.matrix("more", width, width));
  EXPECT_THROW(Trained trained(std::move(list)), worker::Failure);
}

TEST(Engine, AddsTheGradientsOfLaterMicroStepsAndTheirLosses) {
  List list;
  finish(list, starting_value(list));
  const ValueId loss = list.loss;
  fused::Engine engine(std::move(list.graph), list.parameters, fused::make_cpu_backend(),
                       {.optimizer = optimizer, .accumulates = true});
  for (const models::NamedTensor& parameter : engine.parameters()) parameter.tensor.fill_(0.5);
  engine.micro_step(true);
  const double once = engine.tensor(loss).item<double>();
  std::vector<at::Tensor> gradients;
  for (const models::NamedTensor& gradient : engine.gradients()) gradients.push_back(gradient.tensor.clone());
  engine.micro_step(false);
  EXPECT_NEAR(engine.tensor(loss).item<double>(), 2 * once, 1e-12);
  for (std::size_t index = 0; index < gradients.size(); ++index) {
    EXPECT_TRUE(at::allclose(engine.gradients()[index].tensor, 2 * gradients[index], 1e-12, 1e-12));
  }
}

TEST(MemoryPlan, LetsBuffersShareMemoryOnlyWhenTheyNeverMeet) {
  const std::vector<fused::Buffer> buffers{{"a", 1000, 0, 3}, {"b", 500, 4, 6}, {"c", 600, 2, 5}, {"d", 100, 6, 9}};
  const fused::MemoryPlan plan = fused::place(buffers);
  EXPECT_EQ(plan.bytes, 1024 + 768);
  EXPECT_EQ(plan.bytes, fused::least_bytes(buffers));
  for (std::size_t one = 0; one < buffers.size(); ++one) {
    for (std::size_t other = 0; other < one; ++other) {
      const bool meet = buffers[one].first <= buffers[other].last && buffers[other].first <= buffers[one].last;
      const bool apart = plan.offsets[one] >= plan.offsets[other] + fused::aligned(buffers[other].bytes) ||
                         plan.offsets[other] >= plan.offsets[one] + fused::aligned(buffers[one].bytes);
      EXPECT_TRUE(!meet || apart) << buffers[one].name << " and " << buffers[other].name;
    }
  }
}

TEST(MemoryPlan, NeedsNothingForNothing) { EXPECT_EQ(fused::place({}).bytes, 0); }

}  // namespace
}  // namespace etalon
