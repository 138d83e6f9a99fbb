// SPDX-License-Identifier: Apache-2.0
// A training method: which parameters are trained, how the others are kept, and what is saved in the end.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/json.h"
#include "recipe/recipe.h"
#include "worker/models/llama_config.h"
#include "worker/models/parameter_set.h"
#include "worker/models/weight_source.h"
#include "worker/precision/precision.h"

namespace etalon::methods {

/// What a method is made from; references are to live as long as the method.
struct Request {
  const recipe::Training& training;
  const models::LlamaConfig& config;
  const precision::Precision& precision;
  models::WeightSource& weights;
  at::TensorOptions options;  ///< device, and the type of parameters that are trained
};

/// The model is built from it, as from any set of parameters.
class Method : public models::ParameterSet {
 public:
  /// Multiply-accumulates per token, those of adapters included; `base` is the model's own.
  virtual models::MultiplyAccumulates operations(const models::MultiplyAccumulates& base) const = 0;
  /// Of those operations, forward and backward, per token: what is not computed for frozen weights does not count.
  virtual double training_flops(const models::MultiplyAccumulates& operations) const = 0;
  /// Name, numbers of trained and frozen parameters, and how they are kept, for the dossier.
  virtual base::Json description() const = 0;
  /// Writes what was trained into the folder, under the published names. Throws base::Error.
  virtual void save(const std::filesystem::path& folder) const = 0;

  std::vector<at::Tensor> trained_tensors() const;
  std::int64_t trained_count() const;
};

}  // namespace etalon::methods
