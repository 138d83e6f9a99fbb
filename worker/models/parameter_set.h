// SPDX-License-Identifier: Apache-2.0
// Where a model gets its parameters from while it is built: memory, first values, and what is trained are decided there.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "worker/models/linear.h"
#include "worker/models/named_tensor.h"

namespace etalon::models {

class ParameterSet {
 public:
  virtual ~ParameterSet() = default;
  /// A parameter outside the layers' linear parts: embedding, norm, output head.
  virtual at::Tensor tensor(const NamedShape& named) = 0;
  /// A linear layer with its weight, its bias and whatever belongs to it.
  virtual LinearPtr linear(const LinearPlace& place) = 0;
  /// Those that are trained, in the order in which they were asked for.
  const std::vector<NamedTensor>& trained() const { return trained_; }

 protected:
  /// Marks the parameter as trained.
  at::Tensor train(const NamedTensor& parameter) {
    parameter.tensor.requires_grad_(true);
    trained_.push_back(parameter);
    return parameter.tensor;
  }

 private:
  std::vector<NamedTensor> trained_;
};

/// The shapes of a linear layer's weight and bias under their published names.
NamedShape weight_shape(const LinearPlace& place);
NamedShape bias_shape(const LinearPlace& place);

/// All parameters, trained, without values.
class EmptyParameters final : public ParameterSet {
 public:
  explicit EmptyParameters(const at::TensorOptions& options) : options_(options) {}
  at::Tensor tensor(const NamedShape& named) override;
  LinearPtr linear(const LinearPlace& place) override;

 private:
  at::TensorOptions options_;
};

}  // namespace etalon::models
