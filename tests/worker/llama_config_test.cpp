// SPDX-License-Identifier: Apache-2.0
// The catalogue against the published sizes, and the count of operations against an independent one; shapes alone.
#include "worker/models/llama_config.h"

#include <fstream>
#include <map>

#include "base/text.h"
#include "tests/worker/fixture.h"
#include "worker/failure.h"

namespace etalon {
namespace {

constexpr std::pair<const char*, const char*> published[] = {
    {"tinyllama-1.1b", "TinyLlama-1.1B"}, {"llama-2-7b", "Llama-2-7B"}, {"llama-2-13b", "Llama-2-13B"},
    {"llama-2-70b", "Llama-2-70B"},       {"llama-3-8b", "Llama-3-8B"}, {"qwen2.5-0.5b", "Qwen2.5-0.5B"}};

TEST(LlamaConfig, HasThePublishedParameterCounts) {
  const base::Json document = worker_test::parity("full_models");
  for (const auto& [name, reference] : published) {
    EXPECT_EQ(models::parameter_count(models::find_llama_config(name)),
              document["models"][reference]["total_parameters"].get<std::int64_t>())
        << name;
  }
}

TEST(LlamaConfig, HasThePublishedNamesAndShapes) {
  std::map<std::string, std::string> shapes;  // "model name" → "32000x2048"
  for (const auto& [name, reference] : published) {
    for (const models::NamedShape& named : models::parameter_shapes(models::find_llama_config(name))) {
      std::string shape;
      for (const std::int64_t extent : named.shape) shape += (shape.empty() ? "" : "x") + std::to_string(extent);
      shapes[std::string(reference) + " " + named.name] = shape;
    }
  }
  std::ifstream table(std::string(ETALON_FIXTURES) + "/parity/llm/full_models.params.tsv");
  std::string line;
  std::getline(table, line);
  int rows = 0;
  while (std::getline(table, line)) {
    const std::vector<std::string_view> cells = base::split(line, '\t');
    if (cells.at(4).empty()) {  // no tied copy
      EXPECT_EQ(shapes[std::string(cells[0]) + " " + std::string(cells[1])], cells[2]) << line;
      ++rows;
    }
  }
  EXPECT_EQ(rows, 5 * 12 + 14);
}

TEST(LlamaConfig, HasThePublishedSettings) {
  const base::Json document = worker_test::parity("full_models");
  for (const auto& [name, reference] : published) {
    const models::LlamaConfig& config = models::find_llama_config(name);
    const base::Json& expected = document["models"][reference]["config"];
    EXPECT_EQ(config.head_width(), expected["head_dim"].get<std::int64_t>()) << name;
    EXPECT_EQ(config.norm_epsilon, expected["rms_norm_eps"].get<double>()) << name;
    EXPECT_EQ(config.rope_theta, expected["rope_theta"].get<double>()) << name;
    EXPECT_EQ(config.longest_context, expected["max_position_embeddings"].get<std::int64_t>()) << name;
  }
}

TEST(LlamaConfig, NanoAndTheModelForOneGpuHaveTheirDocumentedSizes) {
  EXPECT_EQ(models::parameter_count(models::find_llama_config("nano")), 1'070'464);
  EXPECT_EQ(models::parameter_count(models::find_llama_config("llm-125m")), 123'587'328);
  EXPECT_EQ(models::parameter_count(models::find_llama_config("llm-350m")), 359'842'816);
}

TEST(LlamaConfig, CountsTheOperationsOfTinyLlamaAsTheReferenceDoes) {
  const base::Json expected = worker_test::parity("flops")["models"]["TinyLlama-1.1B"];
  const models::MultiplyAccumulates counted =
      models::multiply_accumulates_per_token(models::find_llama_config("tinyllama-1.1b"), 2048);
  EXPECT_EQ(counted.linear * 2048, expected["macs_linear_total"].get<double>());
  EXPECT_EQ(counted.attention * 2048,
            expected["macs_attention_qk_causal"].get<double>() + expected["macs_attention_pv_causal"].get<double>());
  EXPECT_EQ(counted.training_flops() * 2048, expected["flops_train_step_causal_3x_forward"].get<double>());
}

TEST(LlamaConfig, NamesTheModelsThereAreWhenAskedForAnother) {
  try {
    models::find_llama_config("nanno");
    FAIL();
  } catch (const worker::Failure& failure) {
    EXPECT_EQ(failure.kind(), "unsupported");
    EXPECT_NE(failure.next_step().find("nano, llm-125m"), std::string::npos);
  }
}

}  // namespace
}  // namespace etalon
