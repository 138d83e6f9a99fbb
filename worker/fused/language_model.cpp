// SPDX-License-Identifier: Apache-2.0
// Feeds the engine windows of text and tells the dossier what is in force.
#include "worker/fused/language_model.h"

#include <algorithm>
#include <utility>

#include "worker/data/batch_stream.h"
#include "worker/data/token_source.h"
#include "worker/failure.h"
#include "worker/models/operations.h"
#include "worker/models/weight_source.h"
#include "worker/optim/decay.h"
#include "worker/optim/schedule.h"
#include "worker/workloads/llm_parts.h"

namespace etalon::fused {
namespace {

void require_served(const recipe::Training& training) {
  const auto refuse = [](const std::string& key, const std::string& value, const std::string& served) {
    throw worker::unsupported("training." + key + " = \"" + value + "\" is not served by the fused execution",
                              "set training." + key + " to " + served + ", or engine.execution to plain");
  };
  if (training.method != "full") {
    refuse("method", training.method, "full");
  }
  if (training.sharding != "none") {
    refuse("sharding", training.sharding, "none");
  }
  if (training.attention != "auto") {
    refuse("attention", training.attention, "auto");
  }
  if (!training.save.empty()) {
    refuse("save", training.save, "nothing");
  }
  if (training.optimizer.name != "adamw" || training.optimizer.betas.size() != 2) {
    refuse("optimizer.name", training.optimizer.name, "adamw, with two betas");
  }
}

std::unique_ptr<Backend> backend_for(const at::Device& device) {
  return device.is_cuda() ? make_cuda_backend(device) : make_cpu_backend();
}

std::string name_of(Number number) {
  return number == Number::bf16 ? "bfloat16" : number == Number::f64 ? "float64" : "float32";
}

base::Json describe(const Formats& formats) {
  const std::string number = name_of(formats.number);
  const std::string wide = name_of(kernels::wide(formats.number));
  return {{"parameters", wide},        {"gradients", name_of(formats.gradient)},
          {"optimiser_state", wide},   {"matrix_products", number},
          {"attention", number},       {"normalisation", wide},
          {"residual_stream", number}, {"rotary", number},
          {"mlp_activation", number},  {"loss", wide},
          {"working_weights", number}, {"reduced_precision_sums", false}};
}

class LanguageModel final : public workloads::Workload {
 public:
  LanguageModel(const workloads::Setting& setting, const models::LlamaConfig& config)
      : recipe_(setting.recipe),
        device_(setting.device),
        config_(config),
        formats_(choose_formats(setting)),
        source_(workloads::make_source(recipe_, config_)),
        weights_(models::make_weight_source(recipe_.training.weights, config_, recipe_.training.seed)),
        model_(make_llama_engine(setting, config_, *weights_)),
        batches_(*source_, {recipe_.training.micro_batch, recipe_.workload.context}, device_) {
    optim::learning_rate(recipe_.training.schedule, 1, 0);  // an unknown schedule is refused before the first step
  }

  workloads::WorkSize size() const override {
    const models::MultiplyAccumulates operations =
        models::multiply_accumulates_per_token(config_, recipe_.workload.context);
    const std::int64_t units = workloads::tokens_per_step(recipe_);
    const base::Json data = batches_.description(units * recipe_.training.schedule.total_steps);
    return {.parameters = models::parameter_count(config_),
            .unit = "token",
            .units_per_step = units,
            .flops_per_unit = operations.training_flops(),
            .details = details(operations, data),
            .remarks = data::remarks(data)};
  }

  std::optional<std::int64_t> take_data_wait_ns() override { return batches_.take_wait_ns(); }

  at::Tensor step() override {
    for (std::int64_t micro = 0; micro < recipe_.training.accumulation; ++micro) {
      const data::Batch batch = batches_.next();
      model_->set_batch(batch.tokens_BT, batch.targets_BT);
      model_->engine().micro_step(micro == 0);
    }
    const recipe::Optimizer& settings = recipe_.training.optimizer;
    model_->engine().update(optim::learning_rate(recipe_.training.schedule, settings.learning_rate, finished_steps_));
    ++finished_steps_;
    return model_->loss();
  }

  std::optional<workloads::Evaluation> evaluate() override {
    const std::int64_t sequences = recipe_.evaluation.sequences;
    if (sequences == 0) {
      return std::nullopt;
    }
    const std::int64_t batch = recipe_.training.micro_batch;
    double sum = 0;
    for (std::int64_t first = 0; first < sequences; first += batch) {
      set_held_out(std::min(batch, sequences - first), [&](std::int64_t row, std::span<std::int64_t> window) {
        source_->held_out_window(first + row, sequences, window);
      });
      model_->engine().evaluate();
      sum += model_->loss().item<double>();
    }
    // The engine divides by all rows of a batch and by the micro-steps, whatever was there.
    const double loss =
        sum * static_cast<double>(batch * recipe_.training.accumulation) / static_cast<double>(sequences);
    return workloads::Evaluation{loss, sequences * recipe_.workload.context};
  }

 private:
  /// Rows beyond `rows` count nothing.
  void set_held_out(std::int64_t rows, const data::FillRow& fill_row) {
    const data::Batch batch = data::make_batch(recipe_.training.micro_batch, recipe_.workload.context, device_,
                                               [&](std::int64_t row, std::span<std::int64_t> window) {
                                                 if (row < rows) {
                                                   fill_row(row, window);
                                                 } else {
                                                   std::fill(window.begin(), window.end(), 0);
                                                 }
                                               });
    if (rows < recipe_.training.micro_batch) {
      batch.targets_BT.narrow(0, rows, recipe_.training.micro_batch - rows).fill_(-1);
    }
    model_->set_batch(batch.tokens_BT, batch.targets_BT);
  }

  base::Json details(const models::MultiplyAccumulates& operations, const base::Json& data) const {
    const recipe::Training& training = recipe_.training;
    return {{"model", config_.name},
            {"execution", "fused"},
            {"weights", weights_->description()},
            {"seed", training.seed},
            {"precision", training.precision},
            {"dtypes", describe(formats_)},
            {"checkpointing", {{"name", training.checkpointing}}},
            {"engine", model_->engine().backend().description()},
            {"memory", model_->engine().memory().description()},
            {"optimiser",
             {{"name", "adamw"},
              {"implementation", "fused: norm, clipping and working copy in one pass"},
              {"decay_on", optim::decay_rule}}},
            {"schedule", workloads::describe(training.schedule)},
            {"data", data},
            {"evaluation", workloads::describe_evaluation(recipe_)},
            {"macs_per_unit", {{"linear", operations.linear}, {"attention_causal", operations.attention}}}};
  }

  recipe::Recipe recipe_;
  at::Device device_;
  models::LlamaConfig config_;
  Formats formats_;
  std::unique_ptr<data::TokenSource> source_;
  std::unique_ptr<models::WeightSource> weights_;
  std::unique_ptr<LlamaEngine> model_;
  data::BatchStream batches_;
  std::int64_t finished_steps_ = 0;
};

}  // namespace

Formats choose_formats(const workloads::Setting& setting) {
  const std::string& precision = setting.recipe.training.precision;
  if (precision == "bf16-autocast") {
    // Sums over micro-steps are kept in float32; a single micro-step's products are rounded as autocast rounds them.
    return {Number::bf16, setting.recipe.training.accumulation > 1 ? Number::f32 : Number::bf16};
  }
  if (precision != "fp32" || setting.device.is_cuda()) {
    throw worker::unsupported("precision \"" + precision + "\" is not served by the fused execution on this device",
                              "set training.precision to bf16-autocast, or engine.execution to plain");
  }
  const Number number = setting.parameter_dtype == at::kDouble ? Number::f64 : Number::f32;
  return {number, number};
}

LlamaEngine::LlamaEngine(const models::LlamaConfig& config, const LlamaListSettings& shape,
                         const EngineSettings& settings, std::string_view checkpointing,
                         std::unique_ptr<Backend> backend)
    : list_(llama_list(config, shape)),
      engine_(std::move(list_.graph), list_.parameters, std::move(backend),
              {.optimizer = settings.optimizer,
               .accumulates = settings.accumulates,
               .evaluates = settings.evaluates,
               .recomputed = recomputed_for(list_, checkpointing)}),
      tokens_(engine_.tensor(list_.tokens)),
      targets_(engine_.tensor(list_.targets)),
      loss_(engine_.tensor(list_.loss).squeeze()) {
  const at::Tensor cosine = engine_.tensor(list_.cosine);
  const models::RotaryTables tables =
      models::rotary_tables(shape.context, config.head_width(), config.rope_theta, cosine.options());
  cosine.copy_(tables.cosine.view(cosine.sizes()));
  engine_.tensor(list_.sine).copy_(tables.sine.view(cosine.sizes()));
}

void LlamaEngine::set_batch(const at::Tensor& tokens_BT, const at::Tensor& targets_BT) {
  tokens_.copy_(tokens_BT.reshape({-1, 1}), /*non_blocking=*/true);
  targets_.copy_(targets_BT.reshape({-1, 1}), /*non_blocking=*/true);
}

at::Tensor LlamaEngine::loss() const { return loss_; }

std::unique_ptr<LlamaEngine> make_llama_engine(const workloads::Setting& setting, const models::LlamaConfig& config,
                                               models::WeightSource& weights) {
  const recipe::Recipe& recipe = setting.recipe;
  require_served(recipe.training);
  const Formats formats = choose_formats(setting);
  const LlamaListSettings shape{.number = formats.number,
                                .gradient = formats.gradient,
                                .batch = recipe.training.micro_batch,
                                .context = recipe.workload.context,
                                .share = 1 / static_cast<double>(recipe.training.accumulation)};
  const EngineSettings settings{.optimizer = recipe.training.optimizer,
                                .accumulates = recipe.training.accumulation > 1,
                                .evaluates = recipe.evaluation.sequences > 0};
  auto model = std::make_unique<LlamaEngine>(config, shape, settings, recipe.training.checkpointing,
                                             backend_for(setting.device));
  for (const models::NamedTensor& parameter : model->engine().parameters()) {
    weights.give(parameter);
  }
  model->engine().take_over_parameters();
  return model;
}

std::unique_ptr<workloads::Workload> make_language_model(const workloads::Setting& setting,
                                                         const models::LlamaConfig& config) {
  return std::make_unique<LanguageModel>(setting, config);
}

}  // namespace etalon::fused
