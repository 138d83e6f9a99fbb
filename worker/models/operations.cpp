// SPDX-License-Identifier: Apache-2.0
// Forward and backward written with ATen's own operators.
#include "worker/models/operations.h"

#include <torch/csrc/autograd/custom_function.h>

namespace etalon::models {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

/// Sums over a row are taken in no less than single precision.
at::ScalarType wide_type(at::ScalarType type) { return type == at::kDouble ? at::kDouble : at::kFloat; }

/// The names are those that torch::autograd::Function calls.
struct RmsNorm : Function<RmsNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight, double epsilon) {
    const at::Tensor wide = x.to(wide_type(weight.scalar_type()));
    const auto width = static_cast<double>(x.size(-1));
    const at::Tensor inverse =
        at::linalg_vector_norm(wide, 2, at::IntArrayRef{-1}, true).square_().div_(width).add_(epsilon).rsqrt_();
    at::Tensor normal = wide * inverse;
    // Of a narrow x, the normal is made anew: it would take twice the memory.
    const bool keeps_normal = x.scalar_type() == wide.scalar_type();
    context->saved_data["keeps_normal"] = keeps_normal;
    context->save_for_backward({keeps_normal ? normal : x, inverse, weight});
    const at::Tensor scaled = normal * weight;
    return weight.scalar_type() == wide.scalar_type() ? scaled : scaled.to(weight.scalar_type());
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor& inverse = saved[1];
    const at::Tensor normal = context->saved_data["keeps_normal"].toBool() ? saved[0] : saved[0].to(inverse) * inverse;
    const at::Tensor weight = saved[2].to(inverse.scalar_type());
    const at::Tensor gradient = gradients[0].to(inverse.scalar_type());
    const auto width = static_cast<double>(normal.size(-1));
    const at::Tensor product = (gradient * normal).reshape({-1, normal.size(-1)});
    at::Tensor weight_gradient =
        context->needs_input_grad(1) ? product.sum(0).to(saved[2].scalar_type()) : at::Tensor();
    if (!context->needs_input_grad(0)) {
      return {at::Tensor(), std::move(weight_gradient), at::Tensor()};
    }
    // A matrix-vector product, because a matrix product might be rounded to TF32.
    const at::Tensor projection = at::mv(product, weight).div_(-width).view_as(inverse);
    at::Tensor x_gradient = (gradient * weight).addcmul_(normal, projection).mul_(inverse);
    return {x_gradient.to(saved[0].scalar_type()), std::move(weight_gradient), at::Tensor()};
  }
};

struct SwiGlu : Function<SwiGlu> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& gate, const at::Tensor& up) {
    context->save_for_backward({gate, up});
    return at::silu(gate).mul_(up);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor& gate = saved[0];
    at::Tensor up_gradient = at::silu(gate).mul_(gradients[0]);
    at::Tensor gate_gradient = at::silu_backward(gradients[0] * saved[1], gate);
    return {std::move(gate_gradient), std::move(up_gradient)};
  }
};

/// `direction` -1 turns back: the transpose of a rotation.
at::Tensor turn(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine, double direction) {
  const std::int64_t half = x.size(-1) / 2;
  at::Tensor turned = at::empty(x.sizes(), x.options());
  const at::Tensor first = x.narrow(-1, 0, half);
  const at::Tensor second = x.narrow(-1, half, half);
  at::Tensor first_out = turned.narrow(-1, 0, half);
  at::Tensor second_out = turned.narrow(-1, half, half);
  at::mul_out(first_out, first, cosine);
  first_out.addcmul_(second, sine, -direction);
  at::mul_out(second_out, second, cosine);
  second_out.addcmul_(first, sine, direction);
  return turned;
}

struct Rotate : Function<Rotate> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& cosine,
                            const at::Tensor& sine) {
    context->saved_data["cosine"] = cosine;
    context->saved_data["sine"] = sine;
    return turn(x, cosine, sine, 1);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const at::Tensor cosine = context->saved_data["cosine"].toTensor();
    const at::Tensor sine = context->saved_data["sine"].toTensor();
    return {turn(gradients[0], cosine, sine, -1), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
  return RmsNorm::apply(x, weight, epsilon);
}

at::Tensor swiglu(const at::Tensor& gate, const at::Tensor& up) { return SwiGlu::apply(gate, up); }

RotaryTables rotary_tables(std::int64_t context, std::int64_t head_width, double theta,
                           const at::TensorOptions& options) {
  const auto wide = at::TensorOptions(at::kDouble);
  const at::Tensor frequency = at::pow(theta, at::arange(0, head_width, 2, wide) / static_cast<double>(-head_width));
  const at::Tensor angle = at::outer(at::arange(context, wide), frequency).unsqueeze(1);
  return {angle.cos().to(options), angle.sin().to(options)};
}

at::Tensor rotate(const at::Tensor& x_BTHD, const RotaryTables& tables) {
  return Rotate::apply(x_BTHD, tables.cosine, tables.sine);
}

}  // namespace etalon::models
