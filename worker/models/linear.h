// SPDX-License-Identifier: Apache-2.0
// A linear layer of a transformer, however its weight is kept and whatever is added to it.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace etalon::models {

class Linear {
 public:
  virtual ~Linear() = default;
  /// [rows, outputs] of x: [rows, inputs].
  virtual at::Tensor operator()(const at::Tensor& x) const = 0;
  /// Its tensors that get gradients.
  virtual std::vector<at::Tensor> trained() const = 0;
};
using LinearPtr = std::shared_ptr<const Linear>;

/// Where a linear layer stands and what shape it has.
struct LinearPlace {
  std::string name;  ///< "model.layers.0.self_attn.q_proj"
  std::int64_t layer = 0;
  std::int64_t layers = 0;  ///< of the model
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;
  bool has_bias = false;
};

/// Turns a weight [outputs, inputs] and a bias (undefined when there is none) into the layer that multiplies by it.
using MakeLinear = std::function<LinearPtr(const LinearPlace& place, at::Tensor weight, at::Tensor bias)>;

/// x · weightᵀ + bias in the type that ATen and autocast choose.
class DenseLinear final : public Linear {
 public:
  DenseLinear(at::Tensor weight, at::Tensor bias) : weight_(std::move(weight)), bias_(std::move(bias)) {}
  at::Tensor operator()(const at::Tensor& x) const override;
  std::vector<at::Tensor> trained() const override;

 private:
  at::Tensor weight_;
  at::Tensor bias_;
};

}  // namespace etalon::models
