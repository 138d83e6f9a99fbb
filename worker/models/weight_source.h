// SPDX-License-Identifier: Apache-2.0
// First values of a model's parameters, as the recipe's training.weights says: drawn at random, the values for comparing
// implementations, or read from published files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/json.h"
#include "worker/models/llama_config.h"
#include "worker/models/named_tensor.h"

namespace etalon::models {

class WeightSource {
 public:
  virtual ~WeightSource() = default;
  /// Writes a parameter's first values, converted to its type.
  virtual void give(const NamedTensor& parameter) = 0;
  /// The same for an adapter's inner matrix A and outer matrix B: as PEFT does, B is zero, so that training starts from
  /// the unchanged model.
  virtual void give_adapter(const NamedTensor& inner, const NamedTensor& outer) = 0;
  /// For the dossier. Of files: their hash.
  virtual base::Json description() const = 0;
};

/// "random", "fill" or "safetensors:PATH". Throws worker::Failure for another word, and for files that do not hold
/// exactly the model's tensors.
std::unique_ptr<WeightSource> make_weight_source(const std::string& written, const LlamaConfig& config,
                                                 std::int64_t seed);

}  // namespace etalon::models
