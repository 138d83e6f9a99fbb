// SPDX-License-Identifier: Apache-2.0
// What all methods share.
#include "worker/methods/method.h"

namespace etalon::methods {

std::vector<at::Tensor> Method::trained_tensors() const {
  std::vector<at::Tensor> tensors;
  for (const models::NamedTensor& parameter : trained()) {
    tensors.push_back(parameter.tensor);
  }
  return tensors;
}

std::int64_t Method::trained_count() const {
  std::int64_t count = 0;
  for (const models::NamedTensor& parameter : trained()) {
    count += parameter.tensor.numel();
  }
  return count;
}

}  // namespace etalon::methods
