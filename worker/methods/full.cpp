// SPDX-License-Identifier: Apache-2.0
// Full training: every parameter gets gradients.
#include "base/file.h"
#include "worker/methods/catalog.h"
#include "worker/models/config_file.h"
#include "worker/models/safetensors.h"

namespace etalon::methods {
namespace {

class FullTraining final : public Method {
 public:
  explicit FullTraining(const Request& request) : request_(request) {}

  at::Tensor tensor(const models::NamedShape& named) override {
    const models::NamedTensor parameter{named.name, at::empty(named.shape, request_.options)};
    request_.weights.give(parameter);
    return train(parameter);
  }

  models::LinearPtr linear(const models::LinearPlace& place) override {
    at::Tensor weight = tensor(models::weight_shape(place));
    at::Tensor bias = place.has_bias ? tensor(models::bias_shape(place)) : at::Tensor();
    return request_.precision.linear(place, std::move(weight), std::move(bias));
  }

  models::MultiplyAccumulates operations(const models::MultiplyAccumulates& base) const override { return base; }

  double training_flops(const models::MultiplyAccumulates& operations) const override {
    return operations.training_flops();
  }

  base::Json description() const override {
    return {{"name", "full"}, {"trained_parameters", trained_count()}, {"frozen_parameters", 0}};
  }

  void save(const std::filesystem::path& folder) const override {
    std::filesystem::create_directories(folder);
    models::save_safetensors(folder / "model.safetensors", trained());
    base::replace_file(folder / "config.json", base::to_document(models::config_document(request_.config)));
  }

 private:
  Request request_;
};

}  // namespace

std::unique_ptr<Method> make_full(const Request& request) { return std::make_unique<FullTraining>(request); }

}  // namespace etalon::methods
