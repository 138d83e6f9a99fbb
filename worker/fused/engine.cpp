// SPDX-License-Identifier: Apache-2.0
// From plan to addresses to recordings.
#include "worker/fused/engine.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "worker/kernels/adamw.h"

namespace etalon::fused {
namespace {

at::ScalarType scalar_type(Number number) {
  switch (number) {
    case Number::bf16:
      return at::kBFloat16;
    case Number::f32:
      return at::kFloat;
    case Number::f64:
      return at::kDouble;
    case Number::i64:
      return at::kLong;
  }
  return at::kByte;
}

void run_step(const Operation& operation, Direction direction, const Frame& frame) {
  if (direction == Direction::forward) {
    operation.forward(frame);
  } else if (direction == Direction::backward) {
    operation.backward(frame);
  } else {
    operation.remake(frame);
  }
}

/// Those that are trained come first.
std::span<const ParameterKind> trained_kinds(const LastingMemory& lasting) {
  const auto count =
      std::count_if(lasting.kinds.begin(), lasting.kinds.end(), [](const ParameterKind& kind) { return kind.trained; });
  return {lasting.kinds.data(), static_cast<std::size_t>(count)};
}

}  // namespace

base::Json MemoryUse::description() const {
  return {{"parameters_bytes", parameters},
          {"gradients_bytes", gradients},
          {"optimizer_bytes", optimizer},
          {"inputs_bytes", inputs},
          {"activations_bytes", activations},
          {"least_activations_bytes", least_activations},
          {"arena_bytes", total()}};
}

Plan::Plan(const Graph& graph, const std::vector<StoredParameter>& parameters, Backend& backend,
           const EngineSettings& settings)
    : lasting_(lay_out(graph, parameters)) {
  for (const auto& operation : graph.operations()) {
    operation->prepare(backend);
  }
  training_.schedule = training_schedule(graph, backend, settings.recomputed);
  training_.placed = place(training_.schedule.buffers);
  if (settings.evaluates) {
    evaluation_.schedule = forward_schedule(graph, backend);
    evaluation_.placed = place(evaluation_.schedule.buffers);
  }
}

MemoryUse Plan::memory() const {
  MemoryUse use{.parameters = lasting_.parameter_bytes,
                .gradients = lasting_.gradient_bytes,
                .optimizer = lasting_.optimizer_bytes,
                .activations = std::max(training_.placed.bytes, evaluation_.placed.bytes),
                .least_activations =
                    std::max(least_bytes(training_.schedule.buffers), least_bytes(evaluation_.schedule.buffers))};
  use.inputs = lasting_.bytes - use.parameters - use.gradients - use.optimizer;
  return use;
}

Engine::Engine(Graph graph, const std::vector<StoredParameter>& parameters, std::unique_ptr<Backend> backend,
               const EngineSettings& settings)
    : graph_(std::move(graph)),
      backend_(std::move(backend)),
      settings_(settings),
      plan_(graph_, parameters, *backend_, settings),
      arena_(at::zeros({plan_.memory().total()}, at::TensorOptions(at::kByte).device(backend_->device()))),
      first_steps_(steps_of(plan_.training(), false)),
      next_steps_(settings.accumulates ? steps_of(plan_.training(), true) : std::vector<Step>{}),
      evaluation_steps_(steps_of(plan_.evaluation(), false)),
      first_micro_step_(record(first_steps_)),
      next_micro_step_(record(next_steps_)),
      evaluation_(record(evaluation_steps_)),
      update_(backend_->record([this] { run_update(); })) {
  arena_.zero_();  // recording ran everything once
}

std::unique_ptr<Recording> Engine::record(std::vector<Step>& steps) {
  return backend_->record([&steps] {
    for (const Step& step : steps) {
      run_step(*step.operation, step.direction, step.frame);
    }
  });
}

void* Engine::at(std::int64_t offset) const { return static_cast<std::byte*>(arena_.data_ptr()) + offset; }

std::vector<Engine::Step> Engine::steps_of(const Plan::Part& part, bool accumulates) {
  const LastingMemory& lasting = plan_.lasting();
  std::vector<Step> steps;
  for (const Instruction& instruction : part.schedule.instructions) {
    const auto address = [&](const Binding& binding, const std::map<ValueId, std::int64_t>& offsets) {
      return at(binding.buffer == Binding::lasting
                    ? offsets.at(binding.value)
                    : lasting.bytes + part.placed.offsets[static_cast<std::size_t>(binding.buffer)]);
    };
    std::vector<Frame::Slot> values;
    for (const Binding& binding : instruction.values) {
      values.push_back({binding.value, address(binding, lasting.offsets)});
    }
    std::vector<Frame::Slot> gradients;
    for (const Binding& binding : instruction.gradients) {
      const bool adds = binding.adds || (accumulates && binding.buffer == Binding::lasting);
      gradients.push_back({binding.value, address(binding, lasting.gradient_offsets), adds});
    }
    void* const scratch = instruction.scratch < 0
                              ? nullptr
                              : at(lasting.bytes + part.placed.offsets[static_cast<std::size_t>(instruction.scratch)]);
    steps.push_back({instruction.operation, instruction.direction,
                     Frame(*backend_, std::move(values), std::move(gradients), scratch, accumulates)});
  }
  return steps;
}

at::Tensor Engine::view(std::int64_t offset, Number number, at::IntArrayRef shape) const {
  std::int64_t bytes = kernels::bytes_of(number);
  for (const std::int64_t extent : shape) {
    bytes *= extent;
  }
  return arena_.narrow(0, offset, bytes).view(scalar_type(number)).view(shape);
}

at::Tensor Engine::tensor(ValueId id) const {
  const Value& value = graph_.value(id);
  return view(plan_.lasting().offsets.at(id), value.number, {value.rows, value.columns});
}

std::vector<models::NamedTensor> Engine::published(bool gradients) const {
  std::vector<models::NamedTensor> tensors;
  for (const ParameterKind& kind : plan_.lasting().kinds) {
    if (gradients && !kind.trained) {
      continue;
    }
    const Number number = gradients ? kind.gradient : kind.master;
    const std::int64_t base = gradients ? kind.gradient_offset : kind.master_offset;
    for (std::size_t index = 0; index < kind.parameters.size(); ++index) {
      for (const Piece& piece : kind.parameters[index].pieces) {
        const std::int64_t first = kind.first_elements[index] + piece.first_element;
        tensors.push_back({piece.name, view(base + first * kernels::bytes_of(number), number, piece.shape)});
      }
    }
  }
  return tensors;
}

std::vector<models::NamedTensor> Engine::parameters() const { return published(false); }
std::vector<models::NamedTensor> Engine::gradients() const { return published(true); }

void Engine::take_over_parameters() {
  for (const ParameterKind& kind : plan_.lasting().kinds) {
    if (kind.has_copy()) {
      backend_->kernels().convert({.from = kind.master,
                                   .to = kind.working,
                                   .count = kind.count,
                                   .source = at(kind.master_offset),
                                   .result = at(kind.working_offset)},
                                  backend_->stream());
    }
  }
}

void Engine::micro_step(bool first) { (first ? first_micro_step_ : next_micro_step_)->run(); }
void Engine::evaluate() { evaluation_->run(); }

void Engine::update(double learning_rate) {
  auto* const state = static_cast<kernels::UpdateState*>(at(plan_.lasting().state_offset));
  backend_->kernels().set_learning_rate({learning_rate, state}, backend_->stream());
  update_->run();
}

void Engine::run_update() {
  const LastingMemory& lasting = plan_.lasting();
  const recipe::Optimizer& settings = settings_.optimizer;
  auto* const state = static_cast<kernels::UpdateState*>(at(lasting.state_offset));
  auto* const partial = static_cast<double*>(at(lasting.partial_offset));
  std::int64_t partials = 0;
  for (const ParameterKind& kind : trained_kinds(lasting)) {
    backend_->kernels().sum_of_squares({.number = kind.gradient,
                                        .count = kind.count,
                                        .gradient = at(kind.gradient_offset),
                                        .partial = partial + partials},
                                       backend_->stream());
    partials += kernels::square_blocks;
  }
  backend_->kernels().prepare_update({.beta1 = settings.betas[0],
                                      .beta2 = settings.betas[1],
                                      .clip = settings.clip,
                                      .partials = partials,
                                      .partial = partial,
                                      .state = state},
                                     backend_->stream());
  for (const ParameterKind& kind : trained_kinds(lasting)) {
    backend_->kernels().adamw({.gradient_number = kind.gradient,
                               .master_number = kind.master,
                               .count = kind.count,
                               .beta1 = settings.betas[0],
                               .beta2 = settings.betas[1],
                               .epsilon = settings.epsilon,
                               .decay = kind.decays ? settings.weight_decay : 0,
                               .gradient = at(kind.gradient_offset),
                               .master = at(kind.master_offset),
                               .first_moment = at(kind.first_moment_offset),
                               .second_moment = at(kind.second_moment_offset),
                               .copy = kind.has_copy() ? at(kind.working_offset) : nullptr,
                               .state = state},
                              backend_->stream());
  }
}

std::vector<Engine::Timed> Engine::time_operations(int repetitions) {
  std::vector<Timed> timed;
  for (const Step& step : first_steps_) {
    const auto work = [&] { run_step(*step.operation, step.direction, step.frame); };
    timed.push_back({step.operation->kind(), step.direction, backend_->milliseconds(work, repetitions),
                     step.operation->cost(step.direction)});
  }
  Cost update;
  for (const ParameterKind& kind : trained_kinds(plan_.lasting())) {
    const std::int64_t element = 2 * kernels::bytes_of(kind.gradient) + 6 * kernels::bytes_of(kind.master) +
                                 (kind.has_copy() ? kernels::bytes_of(kind.working) : 0);
    update.bytes += static_cast<double>(kind.count * element);
  }
  timed.push_back({"adamw", Direction::forward, backend_->milliseconds([this] { run_update(); }, repetitions), update});
  return timed;
}

double Engine::gradient_norm() const {
  static_assert(offsetof(kernels::UpdateState, norm) == 16);
  return view(plan_.lasting().state_offset + 16, Number::f64, {1}).item<double>();
}

}  // namespace etalon::fused
