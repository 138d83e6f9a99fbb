// SPDX-License-Identifier: Apache-2.0
// A language model in training, without its data: parameters, method, number formats, checkpointing and optimiser put
// together as the recipe says.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "recipe/recipe.h"
#include "worker/data/batches.h"
#include "worker/methods/method.h"
#include "worker/models/attention_choice.h"
#include "worker/models/llama.h"
#include "worker/models/weight_source.h"
#include "worker/optim/step_boundary.h"
#include "worker/precision/precision.h"

namespace etalon::workloads {

class LlmTraining {
 public:
  /// For sequences of `context` tokens. `asked_for` is the type of parameters where the precision leaves it open (double
  /// for comparing implementations). Throws worker::Failure for what is not served.
  LlmTraining(const recipe::Training& training, const models::LlamaConfig& config, std::int64_t context,
              const at::Device& device, at::ScalarType asked_for);
  LlmTraining(const LlmTraining&) = delete;
  LlmTraining& operator=(const LlmTraining&) = delete;

  /// Mean cross-entropy in nats; what is recorded for gradients follows ATen's grad mode.
  at::Tensor loss(const data::Batch& batch) const;
  void backward(const at::Tensor& loss) const { boundary_.backward(loss); }
  void update() { boundary_.update(); }

  const methods::Method& method() const { return *method_; }
  /// Multiply-accumulates per token of the forward pass.
  models::MultiplyAccumulates operations() const;
  /// What is really in force, for the dossier.
  base::Json details() const;
  std::optional<std::string> remark() const { return boundary_.remark(); }

 private:
  at::ScalarType parameter_type() const { return c10::typeMetaToScalarType(options_.dtype()); }

  recipe::Training training_;
  models::LlamaConfig config_;
  std::int64_t context_;
  models::Checkpointing checkpointing_;
  precision::Precision precision_;
  models::AttentionChoice attention_;
  at::TensorOptions options_;
  std::unique_ptr<models::WeightSource> weights_;
  std::unique_ptr<methods::Method> method_;
  models::Llama model_;
  optim::StepBoundary boundary_;
};

}  // namespace etalon::workloads
