// SPDX-License-Identifier: Apache-2.0
// What the training loop knows of a workload: its size, one step, one evaluation.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "recipe/recipe.h"

namespace etalon::workloads {

struct WorkSize {
  std::int64_t parameters = 0;
  std::string unit;
  std::int64_t units_per_step = 0;
  double flops_per_unit = 0;
  base::Json details;                     ///< what is really in force, for the dossier
  std::vector<std::string> remarks = {};  ///< what a person should read before the figures
};

struct Evaluation {
  double loss = 0;
  std::int64_t units = 0;
};

class Workload {
 public:
  virtual ~Workload() = default;
  virtual WorkSize size() const = 0;
  /// Enqueues one optimiser step; the mean loss as a scalar on the device, not waited for.
  virtual at::Tensor step() = 0;
  /// Mean loss on held-out data; waits for the device. Empty when the recipe wants none.
  virtual std::optional<Evaluation> evaluate() = 0;
  /// Time that step() has spent waiting for training data since the last call; empty where it is not known.
  virtual std::optional<std::int64_t> take_data_wait_ns() { return std::nullopt; }
  /// After the last step and evaluation: saves what the recipe wants saved; what happened, in words worth recording.
  virtual std::vector<std::string> finish() { return {}; }
};

/// What a workload is built from.
struct Setting {
  recipe::Recipe recipe;
  at::Device device{at::kCPU};
  at::ScalarType parameter_dtype = at::kFloat;  ///< double for comparing implementations
};

struct ModelDescription {
  std::string name;
  std::int64_t parameters = 0;
  std::string summary;  ///< "12 layers, width 768, …"
};

}  // namespace etalon::workloads
