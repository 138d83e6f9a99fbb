// SPDX-License-Identifier: Apache-2.0
// One training after the other, so that the memory of one is enough.
#include "worker/workloads/convergence_gate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "worker/workloads/llm_training.h"

namespace etalon::workloads {
namespace {

constexpr const char* reference_precision = "bf16-autocast";
constexpr std::int64_t steps = 8;
// Four: FP8 leaves the outermost two alone.
constexpr std::int64_t most_layers = 4;
// A working format gives 0.99 and more; an error of scale or of transposition falls far below.
constexpr double least_cosine = 0.95;
constexpr double largest_loss_difference = 0.01;

struct Course {
  std::vector<double> losses;
  std::vector<at::Tensor> gradients;  // of the first step, on the host
};

Course train(const recipe::Recipe& recipe, const models::LlamaConfig& config, const at::Device& device,
             const GateBatch& batch) {
  LlmTraining training(recipe.training, config, recipe.workload.context, device, at::kFloat);
  Course course;
  for (std::int64_t step = 0; step < steps; ++step) {
    const at::Tensor loss = training.loss(batch(step));
    course.losses.push_back(loss.item<double>());
    training.backward(loss);
    if (step == 0) {
      for (const at::Tensor& parameter : training.method().trained_tensors()) {
        course.gradients.push_back(parameter.grad().to(at::kCPU, at::kFloat, /*non_blocking=*/false, /*copy=*/true));
      }
    }
    training.update();
  }
  return course;
}

double cosine(const std::vector<at::Tensor>& left, const std::vector<at::Tensor>& right) {
  double product = 0;
  double left_square = 0;
  double right_square = 0;
  for (std::size_t index = 0; index < left.size(); ++index) {
    product += left[index].mul(right[index]).sum(at::kDouble).item<double>();
    left_square += left[index].square().sum(at::kDouble).item<double>();
    right_square += right[index].square().sum(at::kDouble).item<double>();
  }
  return product / std::sqrt(left_square * right_square);
}

}  // namespace

bool ConvergenceGate::passed() const {
  return gradient_cosine >= least_cosine && loss_difference <= largest_loss_difference;
}

base::Json ConvergenceGate::description(std::int64_t layers) const {
  return {{"reference", reference_precision},
          {"layers", layers},
          {"steps", steps},
          {"gradient_cosine", gradient_cosine},
          {"least_gradient_cosine", least_cosine},
          {"relative_loss_difference", loss_difference},
          {"largest_relative_loss_difference", largest_loss_difference},
          {"passed", passed()}};
}

std::int64_t gate_layers(const models::LlamaConfig& config) { return std::min(config.layers, most_layers); }

std::optional<ConvergenceGate> check_convergence(const recipe::Recipe& recipe, const models::LlamaConfig& config,
                                                 const at::Device& device, const GateBatch& batch) {
  const precision::Format format = precision::Precision(recipe.training.precision, device).format();
  if (!format.fp8_products && !format.rounds_stochastically) {
    return std::nullopt;
  }
  recipe::Recipe sibling = recipe;
  sibling.training.weights = "random";  // stored ones are for all layers
  sibling.training.accumulation = 1;
  sibling.training.schedule = {.name = "constant", .warmup_steps = 0, .total_steps = steps, .final_fraction = 1};
  models::LlamaConfig small = config;
  small.layers = gate_layers(config);
  const Course course = train(sibling, small, device, batch);
  sibling.training.precision = reference_precision;
  const Course reference = train(sibling, small, device, batch);
  ConvergenceGate gate{.gradient_cosine = cosine(course.gradients, reference.gradients), .loss_difference = 0};
  for (std::size_t step = 0; step < course.losses.size(); ++step) {
    const double difference = std::abs(course.losses[step] / reference.losses[step] - 1);
    // What is not finite must not get lost in a comparison, and JSON has no word for it.
    gate.loss_difference =
        std::max(gate.loss_difference, std::isfinite(difference) ? difference : std::numeric_limits<double>::max());
  }
  return gate;
}

}  // namespace etalon::workloads
