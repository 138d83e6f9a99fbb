// SPDX-License-Identifier: Apache-2.0
// What number formats a step computes in: the recipe's word turned into ATen's switches, and said back for the dossier.
#pragma once

#include <ATen/ATen.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "worker/models/linear.h"

namespace etalon::precision {

/// One of the recipe's words, and what it stands for.
struct Format {
  std::string_view name;
  at::ScalarType parameters = at::kFloat;       ///< of parameters, gradients, optimiser state and residual stream
  std::optional<at::ScalarType> autocast = {};  ///< of what ATen's autocast narrows
  std::string_view products;                    ///< of the matrix products, in words
  bool tf32 = false;
  bool scales_loss = false;  ///< gradients would underflow otherwise
  bool rounds_stochastically = false;
  bool fp8_products = false;
};

class Precision {
 public:
  /// Sets the process's switches. Throws worker::Failure for a precision that this version or this device does not
  /// serve.
  Precision(const std::string& name, const at::Device& device);

  const Format& format() const { return format_; }
  /// `asked_for` (double, for comparing implementations) where the format itself says float.
  at::ScalarType parameter_type(at::ScalarType asked_for) const;
  /// Of matrix products, and so of weights that never change. `parameters` is the type of those that do.
  at::ScalarType product_type(at::ScalarType parameters) const { return format_.autocast.value_or(parameters); }
  /// The layer that multiplies as this format says.
  models::LinearPtr linear(const models::LinearPlace& place, at::Tensor weight, at::Tensor bias) const;
  /// dtype per class of operation, as really in force.
  base::Json description() const;

 private:
  Format format_;
  at::Device device_;
};

/// While it lives, ATen casts matrix products to the format's type; casts of weights are shared until it ends.
class AutocastScope {
 public:
  AutocastScope(const Precision& precision, const at::Device& device);
  ~AutocastScope();
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

 private:
  bool active_;
  at::DeviceType device_type_;
};

}  // namespace etalon::precision
