// SPDX-License-Identifier: Apache-2.0
// Keys are sorted into those that say the shape, those that must have one value, and those that say nothing here.
#include "worker/models/config_file.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/file.h"
#include "base/text.h"
#include "worker/failure.h"

namespace etalon::models {
namespace {

constexpr std::size_t largest_file_bytes = std::size_t{1} << 20;

/// Settings that do not reach the arithmetic of training from the given parameters.
constexpr std::array informational{
    "_name_or_path",     "bos_token_id",   "eos_token_id", "pad_token_id",           "initializer_range",
    "pretraining_tp",    "torch_dtype",    "dtype",        "transformers_version",   "use_cache",
    "max_window_layers", "sliding_window", "return_dict",  "output_attentions",      "output_hidden_states",
    "id2label",          "label2id",       "problem_type", "chunk_size_feed_forward"};

/// Read by shape_of() and below.
constexpr std::array understood{"architectures",
                                "model_type",
                                "hidden_size",
                                "num_hidden_layers",
                                "num_attention_heads",
                                "num_key_value_heads",
                                "intermediate_size",
                                "vocab_size",
                                "max_position_embeddings",
                                "rms_norm_eps",
                                "rope_theta",
                                "rope_parameters",
                                "tie_word_embeddings",
                                "head_dim",
                                "layer_types"};

/// A key that may only have this value (or be absent): another would be another arithmetic.
struct Fixed {
  const char* key;
  base::Json value;
};
const std::vector<Fixed>& fixed_settings() {
  static const std::vector<Fixed> settings{{"hidden_act", "silu"},        {"attention_bias", false},
                                           {"mlp_bias", false},           {"attention_dropout", 0.0},
                                           {"use_sliding_window", false}, {"rope_scaling", nullptr}};
  return settings;
}

std::string shown(const base::Json& value) { return base::printable(base::to_line(value), 80); }

/// The document while it is read.
class Reader {
 public:
  Reader(const base::Json& document, const std::string& place) : document_(document), place_(place) {}

  const base::Json* find(const char* key) const {
    const auto found = document_.find(key);
    return found == document_.end() ? nullptr : &*found;
  }

  std::int64_t integer(const char* key, std::int64_t highest, std::optional<std::int64_t> absent = {}) const {
    const base::Json* const value = find(key);
    if (value == nullptr) {
      return absent ? *absent : throw wrong(key, "is missing");
    }
    // Unsigned numbers beyond 2^63 are integers of JSON too, and would turn negative.
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() < 1 ||
        value->get<std::uint64_t>() > static_cast<std::uint64_t>(highest)) {
      throw wrong(key, "must be an integer from 1 to " + std::to_string(highest) + ", not " + shown(*value));
    }
    return value->get<std::int64_t>();
  }

  double number(const base::Json* value, const char* key, double highest) const {
    if (value == nullptr) {
      throw wrong(key, "is missing");
    }
    if (!value->is_number() || !(value->get<double>() > 0) || !(value->get<double>() <= highest)) {
      throw wrong(key, "must be a number above 0 and at most " + shown(highest) + ", not " + shown(*value));
    }
    return value->get<double>();
  }

  bool flag(const char* key) const {
    const base::Json* const value = find(key);
    if (value != nullptr && !value->is_boolean()) {
      throw wrong(key, "must be true or false, not " + shown(*value));
    }
    return value != nullptr && value->get<bool>();
  }

  worker::Failure wrong(const std::string& key, const std::string& what) const {
    return {"data", place_ + ": " + key + " " + what, "correct it, or take the config.json as it was published"};
  }

  worker::Failure unknown(const std::string& key) const {
    return worker::unsupported(place_ + ": the key " + base::printable(key, 80) + " is unknown to the native worker",
                               "remove it if it does not change the model's arithmetic");
  }

  worker::Failure not_served(const std::string& key, const base::Json& value, const std::string& served) const {
    return worker::unsupported(place_ + ": " + key + " = " + shown(value) + " is not served by the native worker",
                               "choose a Llama or Qwen2 model with " + served);
  }

 private:
  const base::Json& document_;
  const std::string& place_;
};

/// "llama" or "qwen2".
std::string architecture(const Reader& reader) {
  const base::Json* const type = reader.find("model_type");
  if (type == nullptr || !type->is_string()) {
    throw reader.wrong("model_type", "must be \"llama\" or \"qwen2\"");
  }
  const auto& name = type->get_ref<const std::string&>();
  if (name != "llama" && name != "qwen2") {
    throw reader.not_served("model_type", *type, "model_type \"llama\" or \"qwen2\"");
  }
  const base::Json expected = base::Json::array({name == "llama" ? "LlamaForCausalLM" : "Qwen2ForCausalLM"});
  const base::Json* const given = reader.find("architectures");
  if (given != nullptr && *given != expected) {
    throw reader.not_served("architectures", *given, "architectures " + shown(expected));
  }
  return name;
}

double rope_theta(const Reader& reader) {
  constexpr double highest = 1e12;
  const base::Json* const parameters = reader.find("rope_parameters");
  if (parameters == nullptr) {
    const base::Json* const theta = reader.find("rope_theta");
    return theta == nullptr ? 1e4 : reader.number(theta, "rope_theta", highest);
  }
  if (!parameters->is_object()) {
    throw reader.wrong("rope_parameters", "must be an object, not " + shown(*parameters));
  }
  for (const auto& [key, value] : parameters->items()) {
    if (key != "rope_theta" && !(key == "rope_type" && value == "default")) {
      throw reader.not_served("rope_parameters." + base::printable(key, 80), value, "rope_type \"default\"");
    }
  }
  const auto theta = parameters->find("rope_theta");
  return reader.number(theta == parameters->end() ? nullptr : &*theta, "rope_parameters.rope_theta", highest);
}

void check_keys(const base::Json& document, const Reader& reader) {
  const auto among = [](const auto& keys, const std::string& key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  for (const auto& [key, value] : document.items()) {
    if (among(informational, key) || among(understood, key)) {
      continue;
    }
    const auto& fixed = fixed_settings();
    const auto setting = std::ranges::find(fixed, key, &Fixed::key);
    if (setting == fixed.end()) {
      throw reader.unknown(key);
    }
    if (value != setting->value) {
      throw reader.not_served(key, value, key + " = " + shown(setting->value));
    }
  }
}

/// Layers with sliding attention are listed here by newer versions of transformers.
void check_layer_types(const Reader& reader, std::int64_t layers) {
  const base::Json* const types = reader.find("layer_types");
  if (types == nullptr) {
    return;
  }
  if (!types->is_array() || types->size() != static_cast<std::size_t>(layers)) {
    throw reader.wrong("layer_types", "must be a list with one entry per layer");
  }
  for (const base::Json& type : *types) {
    if (type != "full_attention") {
      throw reader.not_served("layer_types", type, "full attention in every layer");
    }
  }
}

void check_shape(const LlamaConfig& config, const Reader& reader) {
  if (config.width % config.heads != 0 || config.head_width() % 2 != 0) {
    throw reader.wrong("hidden_size", "must be an even number times num_attention_heads");
  }
  if (config.heads % config.key_value_heads != 0) {
    throw reader.wrong("num_key_value_heads", "must divide num_attention_heads");
  }
  const base::Json* const head_width = reader.find("head_dim");
  if (head_width != nullptr && !head_width->is_null() && *head_width != config.head_width()) {
    throw reader.not_served("head_dim", *head_width, "head_dim = hidden_size / num_attention_heads");
  }
  check_layer_types(reader, config.layers);
}

}  // namespace

LlamaConfig parse_config(std::string_view text, const std::string& place) {
  const base::Json document = base::parse_json(text, place, 8);
  const Reader reader(document, place);
  if (!document.is_object()) {
    throw reader.wrong("the document", "must be an object");
  }
  const std::string kind = architecture(reader);
  check_keys(document, reader);
  LlamaConfig config;
  config.name = kind;
  config.layers = reader.integer("num_hidden_layers", 1024);
  config.width = reader.integer("hidden_size", 1 << 17);
  config.heads = reader.integer("num_attention_heads", 4096);
  config.key_value_heads = reader.integer("num_key_value_heads", 4096, config.heads);
  config.mlp_width = reader.integer("intermediate_size", 1 << 20);
  config.vocabulary = reader.integer("vocab_size", 1 << 24);
  config.longest_context = reader.integer("max_position_embeddings", 1 << 24);
  config.norm_epsilon = reader.number(reader.find("rms_norm_eps"), "rms_norm_eps", 1);
  config.rope_theta = rope_theta(reader);
  config.tied_head = reader.flag("tie_word_embeddings");
  config.qkv_bias = kind == "qwen2";
  check_shape(config, reader);
  return config;
}

LlamaConfig read_config(const std::filesystem::path& path) {
  const std::filesystem::path file = std::filesystem::is_directory(path) ? path / "config.json" : path;
  LlamaConfig config = parse_config(base::read_file(file, largest_file_bytes), file.string());
  config.name = path.string();
  return config;
}

LlamaConfig find_config(const std::string& name_or_path) {
  const bool is_path = name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json");
  return is_path ? read_config(name_or_path) : find_llama_config(name_or_path);
}

base::Json config_document(const LlamaConfig& config) {
  return {{"architectures", base::Json::array({config.qkv_bias ? "Qwen2ForCausalLM" : "LlamaForCausalLM"})},
          {"model_type", config.qkv_bias ? "qwen2" : "llama"},
          {"hidden_act", "silu"},
          {"hidden_size", config.width},
          {"intermediate_size", config.mlp_width},
          {"num_hidden_layers", config.layers},
          {"num_attention_heads", config.heads},
          {"num_key_value_heads", config.key_value_heads},
          {"vocab_size", config.vocabulary},
          {"max_position_embeddings", config.longest_context},
          {"rms_norm_eps", config.norm_epsilon},
          {"rope_theta", config.rope_theta},
          {"tie_word_embeddings", config.tied_head}};
}

}  // namespace etalon::models
