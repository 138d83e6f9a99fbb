// SPDX-License-Identifier: Apache-2.0
// The plain linear layer.
#include "worker/models/linear.h"

namespace etalon::models {

at::Tensor DenseLinear::operator()(const at::Tensor& x) const { return at::linear(x, weight_, bias_); }

std::vector<at::Tensor> DenseLinear::trained() const {
  std::vector<at::Tensor> tensors;
  for (const at::Tensor& tensor : {weight_, bias_}) {
    if (tensor.defined() && tensor.requires_grad()) {
      tensors.push_back(tensor);
    }
  }
  return tensors;
}

}  // namespace etalon::models
