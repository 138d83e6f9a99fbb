// SPDX-License-Identifier: Apache-2.0
// NF4 against the published kernels' bytes and numbers.
#include "worker/models/nf4.h"

#include "base/hash.h"
#include "tests/worker/fixture.h"
#include "worker/data/counter_random.h"
#include "worker/failure.h"
#include "worker/models/initialise.h"

namespace etalon {
namespace {

const base::Json& document() {
  static const base::Json parsed = worker_test::parity("nf4");
  return parsed;
}

std::string_view bytes_of(const at::Tensor& tensor) {
  return {static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes()};
}

std::string hexadecimal(const at::Tensor& tensor) {
  std::string text;
  for (const char byte : bytes_of(tensor)) {
    constexpr std::string_view digits = "0123456789abcdef";
    text += digits[static_cast<unsigned char>(byte) >> 4];
    text += digits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

at::Tensor floats(const base::Json& numbers) { return at::tensor(numbers.get<std::vector<float>>(), at::kFloat); }

at::Tensor input(const base::Json& description) {
  const at::Tensor values = at::empty(description["shape"].get<std::vector<std::int64_t>>(), at::kFloat);
  models::fill({description["name"], values});
  return values;
}

TEST(Nf4, HasThePublishedCodes) {
  const auto expect_codes = [](std::span<const float> found, const base::Json& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t index = 0; index < found.size(); ++index) EXPECT_EQ(found[index], expected[index].get<float>());
  };
  expect_codes(models::nf4_code(), document()["code"]);
  expect_codes(models::nf4_nested_code(), document()["double_quantisation"]["code8"]);
}

TEST(Nf4, QuantisesToThePublishedBytes) {
  const base::Json& expected = document()["matrix"];
  const models::Nf4 quantised = models::quantise_nf4(input(expected));
  EXPECT_EQ(hexadecimal(quantised.packed), (expected["packed_hex"]).get<std::string>());
  EXPECT_EQ(hexadecimal(quantised.magnitude_codes), (expected["double"]["nested_code_index_hex"]).get<std::string>());
  EXPECT_TRUE(at::equal(quantised.nested_magnitude, floats(expected["double"]["nested_absmax"])));
  EXPECT_EQ(quantised.offset.item<float>(), expected["double"]["offset"].get<float>());
}

TEST(Nf4, QuantisesALargerMatrixWithSeveralNestedBlocksToThePublishedBytes) {
  const base::Json& expected = document()["matrix_large"];
  const models::Nf4 quantised = models::quantise_nf4(input(expected));
  EXPECT_EQ(base::sha256(bytes_of(quantised.packed)), expected["packed_sha256"].get<std::string>());
  EXPECT_EQ(hexadecimal(quantised.magnitude_codes), (expected["double"]["nested_code_index_hex"]).get<std::string>());
  EXPECT_TRUE(at::equal(quantised.nested_magnitude, floats(expected["double"]["nested_absmax"])));
  const at::Tensor values = models::dequantise_nf4(quantised).to(at::kDouble);
  EXPECT_NEAR(values.sum().item<double>(), expected["double"]["dequantised_sum"].get<double>(), 1e-10);
  EXPECT_NEAR(values.square().sum().item<double>(), expected["double"]["dequantised_sq_sum"].get<double>(), 1e-10);
}

TEST(Nf4, DequantisesToThePublishedFloats) {
  const base::Json& expected = document()["matrix"];
  const at::Tensor values = input(expected);
  const models::Nf4 quantised = models::quantise_nf4(values);
  const at::Tensor magnitudes = models::nf4_magnitudes(values);
  EXPECT_TRUE(at::equal(magnitudes, floats(expected["single"]["absmax"])));
  const at::Tensor single = models::unpack_nf4(quantised.packed, magnitudes, values.sizes());
  EXPECT_TRUE(at::equal(single.view(-1).narrow(0, 0, 32), floats(expected["single"]["dequantised_first32"])));
  EXPECT_TRUE(at::equal(models::recovered_magnitudes(quantised).narrow(0, 0, 16),
                        floats(expected["double"]["recovered_absmax_first16"])));
  EXPECT_TRUE(at::equal(models::dequantise_nf4(quantised).view(-1).narrow(0, 0, 32),
                        floats(expected["double"]["dequantised_first32"])));
}

TEST(Nf4, PacksABlockOfZerosAndARampAsPublished) {
  const auto packed = [](const at::Tensor& values) {
    return hexadecimal(models::pack_nf4(values, models::nf4_magnitudes(values)));
  };
  EXPECT_EQ(packed(at::zeros({1, 64})), document()["edge_blocks"]["all_zero_block"]["packed_hex"].get<std::string>());
  EXPECT_EQ(packed(at::arange(-32.0, 32.0).to(at::kFloat)),
            document()["edge_blocks"]["ramp_minus32_to_31"]["packed_hex"].get<std::string>());
  EXPECT_TRUE(at::equal(models::dequantise_nf4(models::quantise_nf4(at::zeros({2, 64}))), at::zeros({2, 64})));
}

TEST(Nf4, MultipliesByTheDequantisedWeightInBothDirections) {
  const base::Json& expected = document()["matrix"];
  const models::Nf4 quantised = models::quantise_nf4(input(expected));
  const at::Tensor x = at::empty({4, 128}, at::kFloat);
  for (std::int64_t index = 0; index < x.numel(); ++index) {  // unscaled, other than a parameter's fill
    const std::uint64_t random = data::splitmix64(data::name_key("nf4_input") + static_cast<std::uint64_t>(index));
    x.mutable_data_ptr<float>()[index] = static_cast<float>(2 * data::unit_interval(random) - 1);
  }
  const at::Tensor wide = x.to(at::kDouble).requires_grad_();
  const models::LinearPtr linear = models::make_nf4_linear(quantised, {}, at::kDouble);
  const at::Tensor y = (*linear)(wide);
  const at::Tensor reference =
      at::tensor(expected["double"]["linear_y_fp64"].get<std::vector<double>>(), at::kDouble).view({4, 64});
  EXPECT_LE((y - reference).abs().max().item<double>(), 1e-12);
  y.sum().backward();
  const at::Tensor weight = models::dequantise_nf4(quantised).to(at::kDouble);
  EXPECT_LE((wide.grad() - weight.sum(0).expand_as(wide)).abs().max().item<double>(), 1e-12);
  const models::LinearPtr narrow = models::make_nf4_linear(quantised, at::ones({64}), at::kFloat);
  EXPECT_LE(((*narrow)(x)-1 - reference).abs().max().item<double>(), 1e-5);
  EXPECT_TRUE(narrow->trained().empty());
}

TEST(Nf4, RefusesAWeightThatIsNotMadeOfItsBlocks) {
  EXPECT_THROW(models::quantise_nf4(at::ones({3, 5})), worker::Failure);
}

}  // namespace
}  // namespace etalon
