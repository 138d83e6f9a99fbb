// SPDX-License-Identifier: Apache-2.0
// E4M3 against recorded bytes, and the linear layer's three products.
#include "tests/worker/fixture.h"
#include "worker/failure.h"
#include "worker/models/initialise.h"
#include "worker/precision/fp8_linear.h"
#include "worker/precision/precision.h"

namespace etalon {
namespace {

at::Tensor filled(const std::string& name, std::vector<std::int64_t> shape) {
  const at::Tensor values = at::empty(shape, at::kFloat);
  models::fill({name, values});
  return values;
}

std::vector<std::uint8_t> bytes_of(const at::Tensor& tensor) {
  const at::Tensor bytes = tensor.view(at::kByte).contiguous();
  return {bytes.const_data_ptr<std::uint8_t>(), bytes.const_data_ptr<std::uint8_t>() + bytes.numel()};
}

std::vector<std::uint8_t> from_hexadecimal(const std::string& text) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t at = 0; at < text.size(); at += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(text.substr(at, 2), nullptr, 16)));
  }
  return bytes;
}

TEST(Fp8, QuantisesToTheRecordedScaleAndBytes) {
  const base::Json expected = worker_test::parity("fp8")["e4m3fn"];
  const precision::ScaledFp8 quantised = precision::quantise_fp8(filled("fp8_weight", {32, 64}));
  EXPECT_EQ(quantised.scale.item<float>(), expected["scale"].get<float>());
  EXPECT_EQ(bytes_of(quantised.values), from_hexadecimal(expected["bytes_hex"]));
  const at::Tensor values = precision::dequantise_fp8(quantised);
  const at::Tensor first = at::tensor(expected["dequantised_first16"].get<std::vector<float>>(), at::kFloat);
  EXPECT_TRUE(at::equal(values.view(-1).narrow(0, 0, 16), first));
  EXPECT_NEAR(values.to(at::kDouble).sum().item<double>(), expected["dequantised_sum"].get<double>(), 1e-9);
}

TEST(Fp8, CastsTheEdgesAsRecordedWhenClampedFirst) {
  const base::Json document = worker_test::parity("fp8");
  std::vector<std::uint8_t> found;
  for (const base::Json& edge : document["cast_edge_cases"]) {
    const base::Json& in = edge["in"];
    const float value = in.is_string() ? std::stof(in.get<std::string>()) : in.get<float>();
    found.push_back(bytes_of(at::full({1}, value).clamp(-448, 448).to(at::kFloat8_e4m3fn)).front());
  }
  EXPECT_EQ(found, from_hexadecimal(document["clamp_then_cast_e4m3fn_hex"]));
}

TEST(Fp8, KeepsATensorOfZeros) {
  EXPECT_TRUE(at::equal(precision::dequantise_fp8(precision::quantise_fp8(at::zeros({16, 16}))), at::zeros({16, 16})));
}

TEST(Fp8, MultipliesRoundedOperandsForwardAndBackward) {
  const auto rounded = [](const at::Tensor& values) {
    return precision::dequantise_fp8(precision::quantise_fp8(values));
  };
  const at::Tensor weight = filled("w.weight", {48, 32}).requires_grad_();
  const at::Tensor x = filled("x.weight", {16, 32}).requires_grad_();
  const at::Tensor gradient = filled("g.weight", {16, 48}).to(at::kBFloat16);
  const models::LinearPtr linear = precision::make_fp8_linear(
      {.name = "x", .layer = 1, .layers = 3, .outputs = 48, .inputs = 32, .has_bias = false}, weight, {});
  const at::Tensor y = (*linear)(x);
  EXPECT_EQ(y.scalar_type(), at::kBFloat16);
  EXPECT_TRUE(at::allclose(y.to(at::kFloat), at::mm(rounded(x.detach()), rounded(weight.detach()).t()), 1e-2, 1e-3));
  y.backward(gradient);
  const at::Tensor narrow = rounded(gradient);
  EXPECT_TRUE(at::allclose(weight.grad(), at::mm(narrow.t(), rounded(x.detach())), 1e-5, 1e-6));
  EXPECT_TRUE(at::allclose(x.grad(), at::mm(narrow, rounded(weight.detach())), 1e-2, 1e-3));
}

TEST(Fp8, LeavesTheFirstAndLastLayerInBfloat16) {
  const precision::Precision fp8("fp8", at::kCPU);
  const at::Tensor x = at::ones({16, 16});
  std::vector<at::ScalarType> types;
  for (std::int64_t layer = 0; layer < 4; ++layer) {
    const models::LinearPtr linear =
        fp8.linear({.name = "x", .layer = layer, .layers = 4, .outputs = 16, .inputs = 16}, at::ones({16, 16}), {});
    types.push_back((*linear)(x).scalar_type());
  }
  EXPECT_EQ(types, (std::vector{at::kFloat, at::kBFloat16, at::kBFloat16, at::kFloat}));  // without autocast
  EXPECT_THROW(fp8.linear({.name = "x", .layers = 2, .outputs = 16, .inputs = 16}, at::ones({16, 16}), {}),
               worker::Failure);
}

TEST(Fp8, RefusesShapesThatTensorCoresDoNotTake) {
  EXPECT_THROW(precision::make_fp8_linear({.name = "x", .layers = 3, .outputs = 24, .inputs = 16}, {}, {}),
               worker::Failure);
  const models::LinearPtr linear =
      precision::make_fp8_linear({.name = "x", .layers = 3, .outputs = 16, .inputs = 16}, at::ones({16, 16}), {});
  EXPECT_THROW((*linear)(at::ones({15, 16})), worker::Failure);
}

}  // namespace
}  // namespace etalon
