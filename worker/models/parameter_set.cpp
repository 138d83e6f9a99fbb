// SPDX-License-Identifier: Apache-2.0
// The set without values, for tests and comparisons.
#include "worker/models/parameter_set.h"

namespace etalon::models {

NamedShape weight_shape(const LinearPlace& place) { return {place.name + ".weight", {place.outputs, place.inputs}}; }

NamedShape bias_shape(const LinearPlace& place) { return {place.name + ".bias", {place.outputs}}; }

at::Tensor EmptyParameters::tensor(const NamedShape& named) {
  return train({named.name, at::empty(named.shape, options_)});
}

LinearPtr EmptyParameters::linear(const LinearPlace& place) {
  const at::Tensor weight = tensor(weight_shape(place));
  return std::make_shared<DenseLinear>(weight, place.has_bias ? tensor(bias_shape(place)) : at::Tensor());
}

}  // namespace etalon::models
