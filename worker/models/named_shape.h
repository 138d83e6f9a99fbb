// SPDX-License-Identifier: Apache-2.0
// A parameter's published name and shape, before any memory is taken. Needs no torch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace etalon::models {

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
