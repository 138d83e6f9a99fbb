// SPDX-License-Identifier: Apache-2.0
// The order of the members is the order in which they need each other.
#include "worker/workloads/llm_training.h"

#include "worker/methods/catalog.h"
#include "worker/workloads/llm_parts.h"

namespace etalon::workloads {

LlmTraining::LlmTraining(const recipe::Training& training, const models::LlamaConfig& config, std::int64_t context,
                         const at::Device& device, at::ScalarType asked_for)
    : training_(training),
      config_(config),
      context_(context),
      checkpointing_(models::find_checkpointing(training.checkpointing)),
      precision_(training.precision, device),
      attention_(models::choose_attention(training.attention)),
      options_(at::TensorOptions(precision_.parameter_type(asked_for)).device(device)),
      weights_(models::make_weight_source(training.weights, config, training.seed)),
      method_(methods::make_method({.training = training_,
                                    .config = config_,
                                    .precision = precision_,
                                    .weights = *weights_,
                                    .options = options_})),
      model_(config, context, options_, *method_, checkpointing_),
      boundary_(method_->trained_tensors(), training, precision_) {}

at::Tensor LlmTraining::loss(const data::Batch& batch) const {
  const precision::AutocastScope autocast(precision_, options_.device());
  return model_.loss(batch.tokens_BT, batch.targets_BT);
}

models::MultiplyAccumulates LlmTraining::operations() const {
  return method_->operations(models::multiply_accumulates_per_token(config_, context_));
}

base::Json LlmTraining::details() const {
  const models::MultiplyAccumulates counted = operations();
  const at::ScalarType products = precision_.product_type(parameter_type());
  return {{"model", config_.name},
          {"execution", "plain"},
          {"method", method_->description()},
          {"weights", weights_->description()},
          {"seed", training_.seed},
          {"precision", training_.precision},
          {"dtypes", precision_.description()},
          {"checkpointing",
           {{"name", std::string(checkpointing_.name)}, {"kept_per_layer", std::string(checkpointing_.keeps)}}},
          {"attention", models::describe_attention(attention_, config_, training_.micro_batch, context_,
                                                   options_.device(), products)},
          {"optimiser", boundary_.description()},
          {"schedule", describe(training_.schedule)},
          {"macs_per_unit",
           {{"linear", counted.linear}, {"attention_causal", counted.attention}, {"adapters", counted.adapters}}}};
}

}  // namespace etalon::workloads
