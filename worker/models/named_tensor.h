// SPDX-License-Identifier: Apache-2.0
// A parameter under its published name, and the shape that it has before any memory is taken.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

namespace etalon::models {

struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

struct NamedShape {
  std::string name;
  std::vector<std::int64_t> shape;
};

inline std::int64_t element_count(const NamedShape& named) {
  std::int64_t count = 1;
  for (const std::int64_t extent : named.shape) {
    count *= extent;
  }
  return count;
}

}  // namespace etalon::models
