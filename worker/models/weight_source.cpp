// SPDX-License-Identifier: Apache-2.0
// The three sources, and the table of their words.
#include "worker/models/weight_source.h"

#include <array>
#include <set>
#include <string_view>

#include "base/text.h"
#include "worker/failure.h"
#include "worker/models/initialise.h"
#include "worker/models/safetensors.h"

namespace etalon::models {
namespace {

class RandomWeights final : public WeightSource {
 public:
  RandomWeights(std::int64_t layers, std::int64_t seed) : layers_(layers), seed_(seed) {}
  void give(const NamedTensor& parameter) override { initialise(parameter, "normal", seed_, layers_); }
  void give_adapter(const NamedTensor& inner, const NamedTensor& outer) override {
    initialise_uniform(inner, seed_);
    initialise_zero(outer);
  }
  base::Json description() const override { return {{"source", "random"}, {"seed", seed_}}; }

 private:
  std::int64_t layers_;
  std::int64_t seed_;
};

class FillWeights final : public WeightSource {
 public:
  void give(const NamedTensor& parameter) override { fill(parameter); }
  void give_adapter(const NamedTensor& inner, const NamedTensor& outer) override {
    fill(inner);
    fill(outer);
  }
  base::Json description() const override { return {{"source", "fill"}}; }
};

/// Older files carry the rotary tables, and some a tied output head a second time: neither is a parameter.
bool is_redundant(const std::string& name, const LlamaConfig& config) {
  return name.ends_with("rotary_emb.inv_freq") || (config.tied_head && name == "lm_head.weight");
}

class StoredWeights final : public WeightSource {
 public:
  StoredWeights(const std::string& path, const LlamaConfig& config, std::int64_t seed)
      : path_(path), seed_(seed), checkpoint_(path), description_(checkpoint_.description()) {
    std::set<std::string> expected;
    for (const NamedShape& named : parameter_shapes(config)) {
      expected.insert(named.name);
    }
    for (const std::string& name : checkpoint_.names()) {
      if (!expected.contains(name) && !is_redundant(name, config)) {
        throw worker::Failure(
            "data", path + " has a tensor \"" + base::printable(name, 120) + "\" that " + config.name + " has not",
            "give weights of the model in workload.model");
      }
    }
  }

  void give(const NamedTensor& parameter) override {
    checkpoint_.copy_into(parameter);
    kept_as_.insert(c10::toString(parameter.tensor.scalar_type()));
  }
  void give_adapter(const NamedTensor& inner, const NamedTensor& outer) override {
    initialise_uniform(inner, seed_);
    initialise_zero(outer);
  }
  base::Json description() const override {
    base::Json description{{"source", "safetensors"}, {"path", path_}};
    description.update(description_);
    description["converted_to"] = kept_as_;
    return description;
  }

 private:
  std::string path_;
  std::int64_t seed_;
  Checkpoint checkpoint_;
  base::Json description_;
  std::set<std::string> kept_as_;
};

using Make = std::unique_ptr<WeightSource> (*)(const std::string& argument, const LlamaConfig& config,
                                               std::int64_t seed);

/// A word, or a word with a colon that an argument follows.
struct Kind {
  std::string_view word;
  Make make;
};
constexpr std::array kinds{
    Kind{"random",
         [](const std::string&, const LlamaConfig& config, std::int64_t seed) -> std::unique_ptr<WeightSource> {
           return std::make_unique<RandomWeights>(config.layers, seed);
         }},
    Kind{"fill",
         [](const std::string&, const LlamaConfig&, std::int64_t) -> std::unique_ptr<WeightSource> {
           return std::make_unique<FillWeights>();
         }},
    Kind{"safetensors:",
         [](const std::string& path, const LlamaConfig& config, std::int64_t seed) -> std::unique_ptr<WeightSource> {
           return std::make_unique<StoredWeights>(path, config, seed);
         }}};

}  // namespace

std::unique_ptr<WeightSource> make_weight_source(const std::string& written, const LlamaConfig& config,
                                                 std::int64_t seed) {
  for (const Kind& kind : kinds) {
    const bool takes_argument = kind.word.ends_with(':');
    if (takes_argument ? written.starts_with(kind.word) && written.size() > kind.word.size() : written == kind.word) {
      return kind.make(written.substr(kind.word.size()), config, seed);
    }
  }
  throw worker::unsupported("training.weights = \"" + base::printable(written, 200) + "\" is unknown",
                            "set training.weights to random, fill or safetensors:PATH");
}

}  // namespace etalon::models
