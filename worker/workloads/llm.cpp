// SPDX-License-Identifier: Apache-2.0
// Language models: next-token prediction on windows of text. The parts are put together here; each has its own folder.
#include <c10/core/GradMode.h>

#include <algorithm>

#include "worker/data/batch_stream.h"
#include "worker/data/token_source.h"
#include "worker/failure.h"
#include "worker/fused/language_model.h"
#include "worker/models/config_file.h"
#include "worker/workloads/catalog.h"
#include "worker/workloads/convergence_gate.h"
#include "worker/workloads/llm_parts.h"
#include "worker/workloads/llm_training.h"

namespace etalon::workloads {
namespace {

/// Refuses what this version does not do, instead of doing something else under its name.
models::LlamaConfig served_model(const recipe::Recipe& recipe) {
  if (recipe.training.sharding != "none") {
    throw worker::unsupported(
        "training.sharding = \"" + recipe.training.sharding + "\" is not served by the native worker yet",
        "set training.sharding to none");
  }
  models::LlamaConfig config = models::find_config(recipe.workload.model);
  if (recipe.workload.context < 1 || recipe.workload.context > config.longest_context) {
    throw worker::unsupported("workload.context = " + std::to_string(recipe.workload.context) + " is outside what " +
                                  config.name + " is made for",
                              "set workload.context between 1 and " + std::to_string(config.longest_context));
  }
  return config;
}

class LanguageModel final : public Workload {
 public:
  explicit LanguageModel(const Setting& setting)
      : recipe_(setting.recipe),
        device_(setting.device),
        config_(served_model(recipe_)),
        source_(make_source(recipe_, config_)),
        gate_(check_convergence(recipe_, config_, device_,
                                [this](std::int64_t number) { return training_batch(number); })),
        training_(recipe_.training, config_, recipe_.workload.context, device_, setting.parameter_dtype),
        batches_(*source_, {recipe_.training.micro_batch, recipe_.workload.context}, device_) {}

  WorkSize size() const override {
    const std::int64_t units_per_step = tokens_per_step(recipe_);
    const base::Json data = batches_.description(units_per_step * recipe_.training.schedule.total_steps);
    std::vector<std::string> remarks = data::remarks(data);
    if (gate_ && !gate_->passed()) {
      remarks.push_back("not comparable: " + recipe_.training.precision +
                        " does not train as bf16-autocast does (details.convergence_gate)");
    }
    return {.parameters = models::parameter_count(config_),
            .unit = "token",
            .units_per_step = units_per_step,
            .flops_per_unit = training_.method().training_flops(training_.operations()),
            .details = details(data),
            .remarks = remarks};
  }

  std::optional<std::int64_t> take_data_wait_ns() override { return batches_.take_wait_ns(); }

  at::Tensor step() override {
    const std::int64_t accumulation = recipe_.training.accumulation;
    at::Tensor total;
    for (std::int64_t micro = 0; micro < accumulation; ++micro) {
      const at::Tensor loss = training_.loss(batches_.next());
      training_.backward(loss);
      total = total.defined() ? total + loss.detach() : loss.detach();
    }
    training_.update();
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
      sum += training_.loss(batch).to(at::kDouble) * static_cast<double>(rows);
    }
    return Evaluation{sum.item<double>() / static_cast<double>(sequences), sequences * context};
  }

  std::vector<std::string> finish() override {
    std::vector<std::string> remarks;
    if (const std::optional<std::string> remark = training_.remark()) {
      remarks.push_back(*remark);
    }
    if (!recipe_.training.save.empty()) {
      training_.method().save(recipe_.training.save);
      remarks.push_back("the trained weights were saved in " + recipe_.training.save);
    }
    return remarks;
  }

 private:
  /// Batch `number` of the training windows, which the stream gives too.
  data::Batch training_batch(std::int64_t number) const {
    const std::int64_t rows = recipe_.training.micro_batch;
    return data::make_batch(rows, recipe_.workload.context, device_,
                            [&](std::int64_t row, std::span<std::int64_t> window) {
                              source_->training_window(number * rows + row, window);
                            });
  }

  base::Json details(const base::Json& data) const {
    base::Json details = training_.details();
    details["data"] = data;
    details["evaluation"] = describe_evaluation(recipe_);
    if (gate_) {
      details["convergence_gate"] = gate_->description(gate_layers(config_));
    }
    return details;
  }

  recipe::Recipe recipe_;
  at::Device device_;
  models::LlamaConfig config_;
  std::unique_ptr<data::TokenSource> source_;
  std::optional<ConvergenceGate> gate_;
  LlmTraining training_;
  data::BatchStream batches_;
};

}  // namespace

std::unique_ptr<Workload> make_llm(const Setting& setting) {
  if (setting.recipe.engine.execution == "fused") {
    return fused::make_language_model(setting, served_model(setting.recipe));
  }
  return std::make_unique<LanguageModel>(setting);
}

std::vector<ModelDescription> models_of_llm() {
  std::vector<ModelDescription> descriptions;
  for (const models::LlamaConfig& config : models::llama_configs()) {
    descriptions.push_back({config.name, models::parameter_count(config),
                            std::to_string(config.layers) + " layers, width " + std::to_string(config.width) +
                                ", vocabulary " + std::to_string(config.vocabulary)});
  }
  return descriptions;
}

}  // namespace etalon::workloads
