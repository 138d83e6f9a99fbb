// SPDX-License-Identifier: Apache-2.0
// First values: the known answers of the fill, and the moments of the normal initialisation.
#include "worker/models/initialise.h"

#include "tests/worker/fixture.h"
#include "worker/data/counter_random.h"
#include "worker/failure.h"
#include "worker/models/llama.h"

namespace etalon {
namespace {

void expect_fill(const std::string& name, std::vector<std::int64_t> shape, const base::Json& expected) {
  const at::Tensor tensor = at::empty(shape, at::kFloat);
  models::fill({name, tensor});
  for (std::size_t index = 0; index < expected.size(); ++index) {
    EXPECT_EQ(tensor.const_data_ptr<float>()[index], expected[index].get<float>()) << name << " " << index;
  }
}

TEST(Initialise, KeysAndMixesAsTheFillPrescribes) {
  const base::Json known = worker_test::parity("fill_check");
  for (const auto& [name, key] : known["fnv"].items()) {
    EXPECT_EQ(std::to_string(data::name_key(name)), key.get<std::string>());
  }
  for (std::size_t counter = 0; counter < 4; ++counter) {
    EXPECT_EQ(std::to_string(data::splitmix64(counter)), known["splitmix64_of_0_to_3"][counter].get<std::string>());
  }
  EXPECT_EQ(data::name_key("a"), 0xaf63dc4c8601ec8cULL);
}

TEST(Initialise, FillsMatricesNormsAndBiasesWithTheKnownAnswers) {
  const base::Json known = worker_test::parity("fill_check");
  expect_fill("demo.weight", {2, 3}, known["matrix_demo.weight_2x3"]);
  expect_fill("demo_norm.weight", {4}, known["norm_demo_norm.weight_4"]);
  expect_fill("demo.bias", {4}, known["bias_demo.bias_4"]);
}

TEST(Initialise, FillsADoubleTensorWithTheSameRoundedNumbers) {
  const at::Tensor single = at::empty({8, 8}, at::kFloat);
  const at::Tensor wide = at::empty({8, 8}, at::kDouble);
  models::fill({"x.weight", single});
  models::fill({"x.weight", wide});
  EXPECT_TRUE(at::equal(single.to(at::kDouble), wide));
}

TEST(Initialise, DrawsNormalsOfTheDeviationAskedFor) {
  const at::Tensor tensor = at::empty({256, 512}, at::kFloat);
  models::initialise_normal({"x.weight", tensor}, 1, 0.02);
  EXPECT_NEAR(tensor.mean().item<double>(), 0, 3e-4);
  EXPECT_NEAR(tensor.std().item<double>(), 0.02, 2e-4);
  EXPECT_NEAR((tensor / 0.02).pow(4).mean().item<double>(), 3, 0.1);
}

TEST(Initialise, GivesEveryTensorAndSeedItsOwnNumbers) {
  const auto drawn = [](const std::string& name, std::int64_t seed) {
    const at::Tensor tensor = at::empty({4, 4}, at::kFloat);
    models::initialise_normal({name, tensor}, seed, 1);
    return tensor;
  };
  EXPECT_TRUE(at::equal(drawn("a.weight", 1), drawn("a.weight", 1)));
  EXPECT_FALSE(at::equal(drawn("a.weight", 1), drawn("b.weight", 1)));
  EXPECT_FALSE(at::equal(drawn("a.weight", 1), drawn("a.weight", 2)));
}

TEST(Initialise, MakesWhatAddsToTheResidualStreamSmaller) {
  models::Llama model(models::find_llama_config("nano"), 16, at::TensorOptions(at::kFloat));
  models::initialise(model.parameters(), "normal", 5, 5);
  for (const models::NamedTensor& parameter : model.parameters()) {
    const double deviation = parameter.tensor.std().item<double>();
    if (parameter.name.ends_with("down_proj.weight")) {
      EXPECT_NEAR(deviation, 0.02 / std::sqrt(10.0), 1e-4) << parameter.name;
    } else if (parameter.name.ends_with("up_proj.weight")) {
      EXPECT_NEAR(deviation, 0.02, 4e-4) << parameter.name;
    } else if (parameter.name.ends_with("norm.weight")) {
      EXPECT_TRUE(at::equal(parameter.tensor, at::ones_like(parameter.tensor))) << parameter.name;
    }
  }
}

TEST(Initialise, RefusesAnUnknownMethod) {
  std::vector<models::NamedTensor> parameters{{"x.weight", at::empty({2, 2})}};
  EXPECT_THROW(models::initialise(parameters, "zeros", 0, 1), worker::Failure);
}

}  // namespace
}  // namespace etalon
