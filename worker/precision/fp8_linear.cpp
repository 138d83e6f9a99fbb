// SPDX-License-Identifier: Apache-2.0
// One autograd function around three scaled products.
#include "worker/precision/fp8_linear.h"

#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/custom_function.h>

#include <utility>

#include "base/number.h"
#include "worker/device/cuda_driver.h"
#include "worker/failure.h"

namespace etalon::precision {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr double largest_e4m3 = 448;
constexpr double smallest_magnitude = 1e-12;  // of an empty tensor: its scale must not be zero
constexpr std::int64_t granule = 16;
constexpr double first_capability = 8.9;  // Ada; Hopper is 9.0

ScaledFp8 transposed(const ScaledFp8& quantised) { return {quantised.values.t().contiguous(), quantised.scale}; }

/// The names are those that torch::autograd::Function calls.
struct Fp8Product : torch::autograd::Function<Fp8Product> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight) {
    const ScaledFp8 narrow_x = quantise_fp8(x);
    const ScaledFp8 narrow_weight = quantise_fp8(weight);
    context->save_for_backward({narrow_x.values, narrow_x.scale, narrow_weight.values, narrow_weight.scale});
    context->saved_data["x_type"] = static_cast<std::int64_t>(x.scalar_type());
    context->saved_data["weight_type"] = static_cast<std::int64_t>(weight.scalar_type());
    return multiply_fp8(narrow_x, narrow_weight, at::kBFloat16);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const ScaledFp8 x{saved[0], saved[1]};
    const ScaledFp8 weight{saved[2], saved[3]};
    const ScaledFp8 gradient = quantise_fp8(gradients[0]);
    const at::ScalarType x_type = context->saved_data["x_type"].toScalarType();
    const at::ScalarType weight_type = context->saved_data["weight_type"].toScalarType();
    at::Tensor x_gradient;
    if (context->needs_input_grad(0)) {
      x_gradient = multiply_fp8(gradient, transposed(weight), at::kBFloat16).to(x_type);
    }
    at::Tensor weight_gradient = multiply_fp8(transposed(gradient), transposed(x), at::kFloat).to(weight_type);
    return {std::move(x_gradient), std::move(weight_gradient)};
  }
};

class Fp8Linear final : public models::Linear {
 public:
  Fp8Linear(at::Tensor weight, at::Tensor bias) : weight_(std::move(weight)), bias_(std::move(bias)) {}

  at::Tensor operator()(const at::Tensor& x) const override {
    if (x.size(0) % granule != 0) {
      throw worker::unsupported(
          "FP8 products need a multiple of 16 tokens per micro-batch, not " + std::to_string(x.size(0)),
          "choose workload.context or training.micro_batch accordingly");
    }
    const at::Tensor product = Fp8Product::apply(x, weight_);
    return bias_.defined() ? product + bias_.to(product.scalar_type()) : product;
  }

  std::vector<at::Tensor> trained() const override {
    return bias_.defined() ? std::vector{weight_, bias_} : std::vector{weight_};
  }

 private:
  at::Tensor weight_;
  at::Tensor bias_;
};

}  // namespace

ScaledFp8 quantise_fp8(const at::Tensor& x) {
  const at::Tensor wide = x.to(at::kFloat);
  const at::Tensor scale = wide.abs().amax().clamp_min(smallest_magnitude).div(largest_e4m3);
  return {(wide / scale).clamp(-largest_e4m3, largest_e4m3).to(at::kFloat8_e4m3fn), scale};
}

at::Tensor dequantise_fp8(const ScaledFp8& quantised) { return quantised.values.to(at::kFloat) * quantised.scale; }

at::Tensor multiply_fp8(const ScaledFp8& left, const ScaledFp8& right, at::ScalarType type) {
  if (left.values.is_cuda()) {
    return at::_scaled_mm(left.values, right.values.t(), left.scale, right.scale, {}, {}, type);
  }
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  return (at::mm(left.values.to(at::kFloat), right.values.to(at::kFloat).t()) * (left.scale * right.scale)).to(type);
}

void require_fp8(const at::Device& device) {
  if (!device.is_cuda()) {
    return;
  }
  const device::DriverAnswer driver = device::ask_cuda_driver();
  if (driver.card && base::parse_double(driver.card->capability).value_or(0) < first_capability) {
    throw worker::unsupported("this GPU (compute capability " + driver.card->capability + ") has no FP8 tensor cores",
                              "set training.precision to bf16-autocast");
  }
}

models::LinearPtr make_fp8_linear(const models::LinearPlace& place, at::Tensor weight, at::Tensor bias) {
  if (place.inputs % granule != 0 || place.outputs % granule != 0) {
    throw worker::unsupported(place.name + " is [" + std::to_string(place.outputs) + ", " +
                                  std::to_string(place.inputs) + "]: FP8 products need multiples of 16",
                              "set training.precision to bf16-autocast");
  }
  return std::make_shared<Fp8Linear>(std::move(weight), std::move(bias));
}

}  // namespace etalon::precision
