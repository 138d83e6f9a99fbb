// SPDX-License-Identifier: Apache-2.0
// What an optimiser does: one update of all parameters from their gradients.
#pragma once

#include <ATen/ATen.h>

#include <optional>

#include "base/json.h"

namespace etalon::optim {

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// Updates from the parameters' gradients, which are then dropped (the next backward makes new ones instead of
  /// adding). Where `overflow` is 1 (a float32 scalar on the device, not waited for) nothing changes.
  virtual void update(double learning_rate, const std::optional<at::Tensor>& overflow) = 0;
  void update(double learning_rate) { update(learning_rate, std::nullopt); }
  /// Name, implementation and conventions, for the dossier.
  virtual base::Json description() const = 0;
};

}  // namespace etalon::optim
