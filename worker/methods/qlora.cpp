// SPDX-License-Identifier: Apache-2.0
// QLoRA: adapters over linear layers kept in four bits.
#include "worker/methods/adapters.h"
#include "worker/methods/catalog.h"
#include "worker/models/nf4.h"

namespace etalon::methods {
namespace {

class Nf4Base final : public FrozenBase {
 public:
  explicit Nf4Base(const Request& request)
      : device_(request.options.device()),
        type_(request.precision.product_type(c10::typeMetaToScalarType(request.options.dtype()))) {}

  models::LinearPtr keep(const at::Tensor& weight, const at::Tensor& bias) override {
    // Quantised on the host: the same bytes whatever trains.
    models::Nf4 quantised = models::quantise_nf4(weight.to(at::kFloat));
    for (at::Tensor* const part :
         {&quantised.packed, &quantised.magnitude_codes, &quantised.nested_magnitude, &quantised.offset}) {
      *part = part->to(device_);
    }
    bytes_ += quantised.bytes();
    return models::make_nf4_linear(std::move(quantised), bias, type_);
  }

  base::Json description() const override {
    return {{"kept_as", "NF4, double quantisation, blocks of 64 and 256"},
            {"bytes", bytes_},
            {"multiplied_as", c10::toString(type_)}};
  }

 private:
  at::Device device_;
  at::ScalarType type_;
  std::int64_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<Method> make_qlora(const Request& request) {
  return make_adapters(request, "qlora", std::make_unique<Nf4Base>(request));
}

}  // namespace etalon::methods
