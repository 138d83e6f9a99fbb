// SPDX-License-Identifier: Apache-2.0
// Language models in the fused execution: the same workload as the plain one, over the same published parameters.
#pragma once

#include "worker/fused/engine.h"
#include "worker/fused/llama.h"
#include "worker/models/weight_source.h"
#include "worker/workloads/workload.h"

namespace etalon::fused {

/// What the fused execution computes in.
struct Formats {
  Number number = Number::f32;    ///< activations, working weights, products
  Number gradient = Number::f32;  ///< sums of matrices' gradients
};

/// Throws worker::Failure for a precision that it does not serve on this device.
Formats choose_formats(const workloads::Setting& setting);

/// The list, planned and recorded, with initialised tables but not parameters.
class LlamaEngine {
 public:
  LlamaEngine(const models::LlamaConfig& config, const LlamaListSettings& shape, const EngineSettings& settings,
              std::string_view checkpointing, std::unique_ptr<Backend> backend);

  Engine& engine() { return engine_; }
  const Engine& engine() const { return engine_; }
  /// Fills the inputs of the next micro-step; both are [batch, context].
  void set_batch(const at::Tensor& tokens_BT, const at::Tensor& targets_BT);
  /// The loss that micro-steps have summed so far, a scalar on the device (a view of the engine's memory).
  at::Tensor loss() const;

 private:
  LlamaList list_;
  Engine engine_;
  at::Tensor tokens_, targets_, loss_;
};

/// The engine of a recipe, with its first parameters.
std::unique_ptr<LlamaEngine> make_llama_engine(const workloads::Setting& setting, const models::LlamaConfig& config,
                                               models::WeightSource& weights);

/// Throws worker::Failure for what the fused execution does not serve.
std::unique_ptr<workloads::Workload> make_language_model(const workloads::Setting& setting,
                                                         const models::LlamaConfig& config);

}  // namespace etalon::fused
