// SPDX-License-Identifier: Apache-2.0
// Language models: next-token prediction on windows of text, all parameters trained.
#include <c10/core/GradMode.h>

#include <algorithm>
#include <utility>

#include "worker/data/batch_stream.h"
#include "worker/data/token_source.h"
#include "worker/events/libraries.h"
#include "worker/failure.h"
#include "worker/models/attention_choice.h"
#include "worker/models/initialise.h"
#include "worker/models/llama.h"
#include "worker/optim/adamw.h"
#include "worker/optim/schedule.h"
#include "worker/precision/precision.h"
#include "worker/workloads/catalog.h"

namespace etalon::workloads {
namespace {

/// Refuses what this version does not do, instead of doing something else under its name.
void require_served(const recipe::Training& training) {
  const auto require = [](const std::string& key, const std::string& value, const std::string& served) {
    if (value != served) {
      throw worker::unsupported("training." + key + " = \"" + value + "\" is not served by the native worker yet",
                                "set training." + key + " to " + served);
    }
  };
  require("method", training.method, "full");
  require("checkpointing", training.checkpointing, "none");
  require("sharding", training.sharding, "none");
}

const models::LlamaConfig& served_model(const recipe::Recipe& recipe) {
  require_served(recipe.training);
  const models::LlamaConfig& config = models::find_llama_config(recipe.workload.model);
  if (recipe.workload.context < 1 || recipe.workload.context > config.longest_context) {
    throw worker::unsupported("workload.context = " + std::to_string(recipe.workload.context) + " is outside what " +
                                  std::string(config.name) + " is made for",
                              "set workload.context between 1 and " + std::to_string(config.longest_context));
  }
  return config;
}

class LanguageModel final : public Workload {
 public:
  explicit LanguageModel(const Setting& setting)
      : recipe_(setting.recipe),
        device_(setting.device),
        initialisation_(setting.initialisation),
        config_(served_model(setting.recipe)),
        precision_(recipe_.training.precision, device_),
        attention_(models::choose_attention(recipe_.training.attention)),
        source_(data::make_token_source({.source = recipe_.data.source,
                                         .seed = recipe_.data.seed,
                                         .context = recipe_.workload.context,
                                         .vocabulary = config_.vocabulary,
                                         .torch_folder = events::torch_package_folder(),
                                         .tokenizer = recipe_.data.tokenizer})),
        model_(config_, recipe_.workload.context, at::TensorOptions(setting.parameter_dtype).device(device_)),
        optimizer_(initialised_parameters(), recipe_.training.optimizer),
        batches_(*source_, {recipe_.training.micro_batch, recipe_.workload.context}, device_) {
    optim::learning_rate(recipe_.training.schedule, 1, 0);  // an unknown schedule is refused before the first step
  }

  WorkSize size() const override {
    const models::MultiplyAccumulates operations =
        models::multiply_accumulates_per_token(config_, recipe_.workload.context);
    const std::int64_t units_per_step =
        recipe_.training.micro_batch * recipe_.training.accumulation * recipe_.workload.context;
    const base::Json data = batches_.description(units_per_step * recipe_.training.schedule.total_steps);
    return {.parameters = models::parameter_count(config_),
            .unit = "token",
            .units_per_step = units_per_step,
            .flops_per_unit = operations.training_flops(),
            .details = details(operations, data),
            .remarks = data::remarks(data)};
  }

  std::optional<std::int64_t> take_data_wait_ns() override { return batches_.take_wait_ns(); }

  at::Tensor step() override {
    const std::int64_t accumulation = recipe_.training.accumulation;
    at::Tensor total;
    for (std::int64_t micro = 0; micro < accumulation; ++micro) {
      const at::Tensor loss = training_loss();
      (accumulation == 1 ? loss : loss / static_cast<double>(accumulation)).backward();
      total = total.defined() ? total + loss.detach() : loss.detach();
    }
    const recipe::Optimizer& settings = recipe_.training.optimizer;
    if (settings.clip > 0) {
      optim::clip_gradients(parameters_, settings.clip);
    }
    optimizer_.update(optim::learning_rate(recipe_.training.schedule, settings.learning_rate, finished_steps_));
    ++finished_steps_;
    return accumulation == 1 ? total : total / static_cast<double>(accumulation);
  }

  std::optional<Evaluation> evaluate() override {
    const std::int64_t sequences = recipe_.evaluation.sequences;
    const std::int64_t context = recipe_.workload.context;
    if (sequences == 0) {
      return std::nullopt;
    }
    const c10::NoGradGuard no_gradient;
    at::Tensor sum = at::zeros({}, at::TensorOptions(at::kDouble).device(device_));
    for (std::int64_t first = 0; first < sequences; first += recipe_.training.micro_batch) {
      const std::int64_t rows = std::min(recipe_.training.micro_batch, sequences - first);
      const data::Batch batch =
          data::make_batch(rows, context, device_, [&](std::int64_t row, std::span<std::int64_t> window) {
            source_->held_out_window(first + row, sequences, window);
          });
      sum += loss(batch).to(at::kDouble) * static_cast<double>(rows);
    }
    return Evaluation{sum.item<double>() / static_cast<double>(sequences), sequences * context};
  }

 private:
  std::vector<at::Tensor>& initialised_parameters() {
    models::initialise(model_.parameters(), initialisation_, recipe_.training.seed, config_.layers);
    for (const models::NamedTensor& parameter : model_.parameters()) {
      parameters_.push_back(parameter.tensor);
    }
    return parameters_;
  }

  at::Tensor loss(const data::Batch& batch) const {
    const precision::AutocastScope autocast(precision_, device_);
    return model_.loss(batch.tokens_BT, batch.targets_BT);
  }

  at::Tensor training_loss() { return loss(batches_.next()); }

  base::Json details(const models::MultiplyAccumulates& operations, const base::Json& data) const {
    const recipe::Training& training = recipe_.training;
    return {
        {"model", std::string(config_.name)},
        {"execution", "plain"},
        {"initialisation", initialisation_},
        {"seed", training.seed},
        {"precision", training.precision},
        {"dtypes", precision_.description()},
        {"attention", models::describe_attention(attention_, config_, training.micro_batch, recipe_.workload.context,
                                                 device_, precision_.autocast() ? at::kBFloat16 : at::kFloat)},
        {"optimiser",
         {{"name", "adamw"},
          {"implementation", "at::_fused_adamw_"},
          {"decay_on", "tensors of two or more dimensions"}}},
        {"schedule", {{"name", training.schedule.name}, {"first_update", "rate 0 when there is a warm-up"}}},
        {"data", data},
        {"evaluation",
         {{"sequences", recipe_.evaluation.sequences},
          {"tokens", recipe_.evaluation.sequences * recipe_.workload.context}}},
        {"macs_per_unit", {{"linear", operations.linear}, {"attention_causal", operations.attention}}}};
  }

  recipe::Recipe recipe_;
  at::Device device_;
  std::string initialisation_;
  models::LlamaConfig config_;
  precision::Precision precision_;
  models::AttentionChoice attention_;
  std::unique_ptr<data::TokenSource> source_;
  models::Llama model_;
  std::vector<at::Tensor> parameters_;
  optim::AdamW optimizer_;
  std::int64_t finished_steps_ = 0;
  data::BatchStream batches_;
};

}  // namespace

std::unique_ptr<Workload> make_llm(const Setting& setting) { return std::make_unique<LanguageModel>(setting); }

std::vector<ModelDescription> models_of_llm() {
  std::vector<ModelDescription> descriptions;
  for (const models::LlamaConfig& config : models::llama_configs()) {
    descriptions.push_back({std::string(config.name), models::parameter_count(config),
                            std::to_string(config.layers) + " layers, width " + std::to_string(config.width) +
                                ", vocabulary " + std::to_string(config.vocabulary)});
  }
  return descriptions;
}

}  // namespace etalon::workloads
