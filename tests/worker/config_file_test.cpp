// SPDX-License-Identifier: Apache-2.0
// Published config.json texts, and what is refused in them.
#include "worker/models/config_file.h"

#include "base/error.h"
#include "tests/worker/fixture.h"
#include "worker/failure.h"

namespace etalon {
namespace {

/// As TinyLlama publishes it.
base::Json tiny_llama() {
  return base::parse_json(R"({"architectures": ["LlamaForCausalLM"], "bos_token_id": 1, "eos_token_id": 2,
    "hidden_act": "silu", "hidden_size": 2048, "initializer_range": 0.02, "intermediate_size": 5632,
    "max_position_embeddings": 2048, "model_type": "llama", "num_attention_heads": 32, "num_hidden_layers": 22,
    "num_key_value_heads": 4, "pretraining_tp": 1, "rms_norm_eps": 1e-05, "rope_scaling": null,
    "tie_word_embeddings": false, "torch_dtype": "float32", "transformers_version": "4.31.0.dev0", "use_cache": true,
    "vocab_size": 32000})",
                          "test");
}

void expect_same_model(const models::LlamaConfig& found, const models::LlamaConfig& expected) {
  const auto with_name = [&] {
    models::LlamaConfig renamed = found;
    renamed.name = expected.name;
    return renamed;
  }();
  EXPECT_EQ(base::to_line(models::config_document(with_name)), base::to_line(models::config_document(expected)));
}

TEST(ConfigFile, ReadsAPublishedLlama) {
  expect_same_model(models::parse_config(tiny_llama().dump(), "test"), models::find_llama_config("tinyllama-1.1b"));
}

TEST(ConfigFile, ReadsBackEveryModelOfTheCatalogue) {
  for (const models::LlamaConfig& config : models::llama_configs()) {
    expect_same_model(models::parse_config(models::config_document(config).dump(), config.name), config);
  }
}

TEST(ConfigFile, ReadsQwen2WithItsBiasAndTheNewerFormOfTheRotaryBase) {
  base::Json document = models::config_document(models::find_llama_config("qwen2.5-0.5b"));
  document.erase("rope_theta");
  document["rope_parameters"] = {{"rope_type", "default"}, {"rope_theta", 1e6}};
  document["use_sliding_window"] = false;
  document["sliding_window"] = 32768;
  document["max_window_layers"] = 21;
  expect_same_model(models::parse_config(document.dump(), "test"), models::find_llama_config("qwen2.5-0.5b"));
}

TEST(ConfigFile, TakesAsManyKeyHeadsAsHeadsWhereNoneAreGiven) {
  base::Json document = tiny_llama();
  document.erase("num_key_value_heads");
  EXPECT_EQ(models::parse_config(document.dump(), "test").key_value_heads, 32);
}

TEST(ConfigFile, IsFoundByItsPathOrItsFolder) {
  const TemporaryFolder folder;
  worker_test::write(folder, "model/config.json", tiny_llama().dump());
  EXPECT_EQ(models::find_config((folder / "model/config.json").string()).layers, 22);
  EXPECT_EQ(models::find_config((folder / "model").string()).layers, 22);
  EXPECT_EQ(models::find_config("nano").layers, 5);
  EXPECT_THROW(models::find_config((folder / "absent.json").string()), base::Error);
}

/// The message and next step of the refusal, and its kind in front.
std::string refusal(const std::function<void(base::Json&)>& change) {
  base::Json document = tiny_llama();
  change(document);
  try {
    models::parse_config(document.dump(), "place.json");
  } catch (const worker::Failure& failure) {
    return failure.kind() + ": " + failure.what() + " / " + failure.next_step();
  }
  return "read without complaint";
}

TEST(ConfigFile, RefusesAnotherArithmeticInsteadOfIgnoringIt) {
  const std::vector<std::pair<const char*, base::Json>> changes{{"hidden_act", "gelu"},
                                                                {"attention_bias", true},
                                                                {"mlp_bias", true},
                                                                {"attention_dropout", 0.1},
                                                                {"rope_scaling", {{"type", "linear"}, {"factor", 2.0}}},
                                                                {"head_dim", 128},
                                                                {"model_type", "mixtral"},
                                                                {"architectures", {"LlamaForSequenceClassification"}},
                                                                {"use_sliding_window", true},
                                                                {"final_logit_softcapping", 30.0},
                                                                {"quantization_config", {{"bits", 4}}}};
  for (const auto& [key, value] : changes) {
    const std::string message = refusal([&](base::Json& document) { document[key] = value; });
    EXPECT_TRUE(message.starts_with("unsupported: place.json: ")) << key << ": " << message;
    EXPECT_NE(message.find(key), std::string::npos) << message;
  }
}

TEST(ConfigFile, RefusesWrongNumbersAndNamesTheKey) {
  const std::vector<std::pair<const char*, base::Json>> changes{{"num_hidden_layers", 0},
                                                                {"num_hidden_layers", -1},
                                                                {"hidden_size", 2048.5},
                                                                {"hidden_size", 9223372036854775809ULL},
                                                                {"hidden_size", 2050},
                                                                {"num_attention_heads", "32"},
                                                                {"num_key_value_heads", 3},
                                                                {"vocab_size", 1ULL << 40},
                                                                {"rms_norm_eps", 0},
                                                                {"rms_norm_eps", nullptr},
                                                                {"rope_theta", -1.0},
                                                                {"tie_word_embeddings", 1},
                                                                {"max_position_embeddings", {}},
                                                                {"model_type", 7}};
  for (const auto& [key, value] : changes) {
    const std::string message = refusal([&](base::Json& document) { document[key] = value; });
    EXPECT_TRUE(message.starts_with("data: place.json: ")) << key << ": " << message;
    EXPECT_NE(message.find(key), std::string::npos) << message;
  }
  EXPECT_TRUE(
      refusal([](base::Json& document) { document.erase("vocab_size"); }).starts_with("data: place.json: vocab"));
}

TEST(ConfigFile, RefusesWhatIsNoObjectOrNoJson) {
  EXPECT_THROW(models::parse_config("[]", "test"), worker::Failure);
  EXPECT_THROW(models::parse_config("{", "test"), base::Error);
  EXPECT_THROW(models::parse_config("{\"model_type\": \"llama\", \"model_type\": \"llama\"}", "test"), base::Error);
}

}  // namespace
}  // namespace etalon
