// SPDX-License-Identifier: Apache-2.0
// Runs a model's list of operations: one arena planned ahead, the micro-step and the optimiser's step recorded apart and
// replayed. Knows no model.
#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <set>
#include <vector>

#include "base/json.h"
#include "recipe/recipe.h"
#include "worker/fused/lasting_memory.h"
#include "worker/fused/memory_plan.h"
#include "worker/models/named_tensor.h"

namespace etalon::fused {

struct EngineSettings {
  recipe::Optimizer optimizer;
  bool accumulates = false;  ///< more than one micro-step per update
  bool evaluates = true;     ///< a forward pass alone is wanted too
  std::set<ValueId> recomputed{};
};

/// Bytes of the arena by part; their sum is what is allocated.
struct MemoryUse {
  std::int64_t parameters = 0, gradients = 0, optimizer = 0, inputs = 0;
  std::int64_t activations = 0;        ///< planned peak of everything that lives within a step
  std::int64_t least_activations = 0;  ///< the most that is alive at once: what a perfect plan would need

  std::int64_t total() const { return parameters + gradients + optimizer + inputs + activations; }
  base::Json description() const;
};

/// Plans without taking memory.
class Plan {
 public:
  Plan(const Graph& graph, const std::vector<StoredParameter>& parameters, Backend& backend,
       const EngineSettings& settings);

  const LastingMemory& lasting() const { return lasting_; }
  MemoryUse memory() const;

  struct Part {
    Schedule schedule;
    MemoryPlan placed;
  };
  const Part& training() const { return training_; }
  const Part& evaluation() const { return evaluation_; }

 private:
  LastingMemory lasting_;
  Part training_, evaluation_;
};

class Engine {
 public:
  /// Prepares every operation, plans, takes the arena and records the steps; parameters are zero afterwards.
  Engine(Graph graph, const std::vector<StoredParameter>& parameters, std::unique_ptr<Backend> backend,
         const EngineSettings& settings);
  Engine(const Engine&) = delete;  // what was recorded knows where everything lies
  Engine& operator=(const Engine&) = delete;

  /// The lasting memory of an input or result, as [rows, columns].
  at::Tensor tensor(ValueId value) const;
  /// Parameters as the optimiser keeps them, and their gradients, under the published names.
  std::vector<models::NamedTensor> parameters() const;
  std::vector<models::NamedTensor> gradients() const;
  /// To be called after parameters() were written: makes the working copies.
  void take_over_parameters();

  /// Forward and backward of what the inputs hold; all but the first of a step add.
  void micro_step(bool first);
  /// One optimiser step.
  void update(double learning_rate);
  /// Forward alone.
  void evaluate();
  /// Global norm of the gradients at the last update, before clipping; waits for the device.
  double gradient_norm() const;

  /// The parts of a micro-step and of the update, each timed alone with what the inputs hold now.
  struct Timed {
    std::string_view kind;
    Direction direction;
    double ms;
    Cost cost;
  };
  std::vector<Timed> time_operations(int repetitions);
  Backend& backend() { return *backend_; }

  MemoryUse memory() const { return plan_.memory(); }
  const Backend& backend() const { return *backend_; }

 private:
  struct Step {
    const Operation* operation;
    Direction direction;
    Frame frame;
  };
  std::vector<Step> steps_of(const Plan::Part& part, bool accumulates);
  void* at(std::int64_t offset) const;
  at::Tensor view(std::int64_t offset, Number number, at::IntArrayRef shape) const;
  std::vector<models::NamedTensor> published(bool gradients) const;
  void run_update();
  std::unique_ptr<Recording> record(std::vector<Step>& steps);

  Graph graph_;
  std::unique_ptr<Backend> backend_;
  EngineSettings settings_;
  Plan plan_;
  at::Tensor arena_;
  std::vector<Step> first_steps_, next_steps_, evaluation_steps_;
  std::unique_ptr<Recording> first_micro_step_, next_micro_step_, evaluation_, update_;
};

}  // namespace etalon::fused
