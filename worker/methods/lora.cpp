// SPDX-License-Identifier: Apache-2.0
// LoRA: adapters over linear layers kept in the type in which they are multiplied, since they never change.
#include "worker/methods/adapters.h"
#include "worker/methods/catalog.h"

namespace etalon::methods {
namespace {

class DenseBase final : public FrozenBase {
 public:
  explicit DenseBase(const Request& request)
      : device_(request.options.device()),
        type_(request.precision.product_type(c10::typeMetaToScalarType(request.options.dtype()))) {}

  models::LinearPtr keep(const at::Tensor& weight, const at::Tensor& bias) override {
    return std::make_shared<models::DenseLinear>(weight.to(device_, type_), bias);
  }

  base::Json description() const override { return {{"kept_as", c10::toString(type_)}}; }

 private:
  at::Device device_;
  at::ScalarType type_;
};

}  // namespace

std::unique_ptr<Method> make_lora(const Request& request) {
  return make_adapters(request, "lora", std::make_unique<DenseBase>(request));
}

}  // namespace etalon::methods
