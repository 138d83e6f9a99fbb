// SPDX-License-Identifier: Apache-2.0
// A parameter under its published name.
#pragma once

#include <ATen/ATen.h>

#include <string>

#include "worker/models/named_shape.h"

namespace etalon::models {

struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

}  // namespace etalon::models
