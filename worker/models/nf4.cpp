// SPDX-License-Identifier: Apache-2.0
// Quantisation on the host or the device of its input; a product that dequantises the weight twice, forward and backward.
#include "worker/models/nf4.h"

#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <array>
#include <cmath>
#include <utility>

#include "worker/failure.h"

namespace etalon::models {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::array<float, 16> code{-1.0F,
                                     -0.6961928009986877F,
                                     -0.5250730514526367F,
                                     -0.39491748809814453F,
                                     -0.28444138169288635F,
                                     -0.18477343022823334F,
                                     -0.09105003625154495F,
                                     0.0F,
                                     0.07958029955625534F,
                                     0.16093020141124725F,
                                     0.24611230194568634F,
                                     0.33791524171829224F,
                                     0.44070982933044434F,
                                     0.5626170039176941F,
                                     0.7229568362236023F,
                                     1.0F};

at::Tensor tensor_of(std::span<const float> values, const at::Device& device) {
  return at::tensor(at::ArrayRef<float>(values.data(), values.size()), at::TensorOptions(at::kFloat)).to(device);
}

/// Seven decades, each with twice as many steps as the one below: dense near zero, where most differences lie. Made with
/// the float32 operations of the publication, whose rounding shows in the last bits.
std::vector<float> make_nested_code() {
  constexpr int decades = 7;
  std::vector<at::Tensor> parts{at::zeros({1}), at::ones({1})};
  for (int decade = 0; decade < decades; ++decade) {
    const at::Tensor edges = at::linspace(0.1, 1, (1 << decade) + 1, at::TensorOptions(at::kFloat));
    const at::Tensor centres = (edges.slice(0, 0, -1) + edges.slice(0, 1)) / 2.0;
    parts.push_back(centres * std::pow(10.0, decade - (decades - 1)));
    parts.push_back(-parts.back());
  }
  const at::Tensor sorted = std::get<0>(at::cat(parts).sort()).contiguous();
  return {sorted.const_data_ptr<float>(), sorted.const_data_ptr<float>() + sorted.numel()};
}

/// The index of the nearest of ascending values, for each element.
at::Tensor nearest(const at::Tensor& values, std::span<const float> ascending) {
  const at::Tensor table = tensor_of(ascending, values.device());
  const at::Tensor midpoints = (table.slice(0, 0, -1) + table.slice(0, 1)) / 2.0;
  return at::bucketize(values, midpoints, /*out_int32=*/true).to(at::kByte);
}

/// values / divisors, and 0 where the divisor is: a block without magnitude.
at::Tensor relative(const at::Tensor& quotient, const at::Tensor& divisors) {
  return at::where(divisors == 0, at::zeros_like(quotient), quotient);
}

/// [rows, 256], the last row filled up with zeros.
at::Tensor in_nested_blocks(const at::Tensor& values) {
  const std::int64_t missing = (nf4_nested_block - values.numel() % nf4_nested_block) % nf4_nested_block;
  return at::constant_pad_nd(values, {0, missing}, 0).view({-1, nf4_nested_block});
}

struct Held : torch::CustomClassHolder {
  Held(Nf4 quantised, at::ScalarType product_type) : weight(std::move(quantised)), type(product_type) {}
  Nf4 weight;
  at::ScalarType type;
};

/// The names are those that torch::autograd::Function calls.
struct Nf4Product : torch::autograd::Function<Nf4Product> {
  static at::Tensor forward(AutogradContext* context, const c10::intrusive_ptr<Held>& held, const at::Tensor& x) {
    context->saved_data["held"] = c10::IValue::make_capsule(held);
    context->saved_data["x_type"] = static_cast<std::int64_t>(x.scalar_type());
    return at::linear(x.to(held->type), dequantise_nf4(held->weight).to(held->type));
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto capsule = context->saved_data["held"].toCapsule();
    const Held* const held = static_cast<const Held*>(capsule.get());
    const at::Tensor weight = dequantise_nf4(held->weight).to(held->type);
    const at::Tensor x_gradient = at::mm(gradients.front().to(held->type), weight);
    return {at::Tensor(), x_gradient.to(context->saved_data["x_type"].toScalarType())};
  }
};

class Nf4Linear final : public Linear {
 public:
  Nf4Linear(Nf4 weight, at::Tensor bias, at::ScalarType type)
      : held_(c10::make_intrusive<Held>(std::move(weight), type)), bias_(std::move(bias)) {}
  at::Tensor operator()(const at::Tensor& x) const override {
    const at::Tensor product = Nf4Product::apply(held_, x);
    return bias_.defined() ? product + bias_.to(product.scalar_type()) : product;
  }
  std::vector<at::Tensor> trained() const override { return {}; }

 private:
  c10::intrusive_ptr<Held> held_;
  at::Tensor bias_;
};

}  // namespace

std::span<const float> nf4_code() { return code; }

std::span<const float> nf4_nested_code() {
  static const std::vector<float> nested = make_nested_code();
  return nested;
}

std::int64_t Nf4::bytes() const {
  return static_cast<std::int64_t>(packed.nbytes() + magnitude_codes.nbytes() + nested_magnitude.nbytes() +
                                   offset.nbytes());
}

at::Tensor nf4_magnitudes(const at::Tensor& values) { return values.reshape({-1, nf4_block}).abs().amax(1); }

at::Tensor pack_nf4(const at::Tensor& values, const at::Tensor& magnitudes) {
  const at::Tensor column = magnitudes.unsqueeze(1);
  const at::Tensor scaled = relative(values.reshape({-1, nf4_block}) * column.reciprocal(), column);
  const at::Tensor pairs = nearest(scaled, code).view({-1, 2});
  return pairs.select(1, 0).mul(16).add_(pairs.select(1, 1));
}

Nf4 quantise_nf4(const at::Tensor& values) {
  if (values.numel() % nf4_block != 0) {
    throw worker::unsupported(
        "a weight of " + std::to_string(values.numel()) + " elements is not made of NF4's blocks of 64",
        "set training.method to lora");
  }
  const c10::NoGradGuard no_gradient;
  const at::Tensor magnitudes = nf4_magnitudes(values);
  const at::Tensor offset = magnitudes.mean();
  const at::Tensor differences = in_nested_blocks(magnitudes - offset);
  const at::Tensor nested = differences.abs().amax(1, /*keepdim=*/true);
  const at::Tensor codes = nearest(relative(differences / nested, nested), nf4_nested_code());
  return {.shape = values.sizes().vec(),
          .packed = pack_nf4(values, magnitudes),
          .magnitude_codes = codes.view(-1).narrow(0, 0, magnitudes.numel()).clone(),
          .nested_magnitude = nested.view(-1).clone(),
          .offset = offset};
}

at::Tensor unpack_nf4(const at::Tensor& packed, const at::Tensor& magnitudes, at::IntArrayRef shape) {
  const at::Tensor table = tensor_of(code, packed.device());
  const at::Tensor pairs = at::stack({table.repeat_interleave(16), table.repeat(16)}, 1);  // by byte
  const at::Tensor values = pairs.index_select(0, packed.to(at::kInt)).view({-1, nf4_block});
  return (values * magnitudes.unsqueeze(1)).view(shape);
}

at::Tensor recovered_magnitudes(const Nf4& quantised) {
  const at::Tensor table = tensor_of(nf4_nested_code(), quantised.packed.device());
  const at::Tensor values = table.index_select(0, quantised.magnitude_codes.to(at::kInt));
  const at::Tensor wide = in_nested_blocks(values) * quantised.nested_magnitude.unsqueeze(1);
  return wide.view(-1).narrow(0, 0, values.numel()) + quantised.offset;
}

at::Tensor dequantise_nf4(const Nf4& quantised) {
  return unpack_nf4(quantised.packed, recovered_magnitudes(quantised), quantised.shape);
}

LinearPtr make_nf4_linear(Nf4 weight, at::Tensor bias, at::ScalarType type) {
  return std::make_shared<Nf4Linear>(std::move(weight), std::move(bias), type);
}

}  // namespace etalon::models
