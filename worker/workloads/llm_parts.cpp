// SPDX-License-Identifier: Apache-2.0
#include "worker/workloads/llm_parts.h"

#include "worker/events/libraries.h"

namespace etalon::workloads {

std::unique_ptr<data::TokenSource> make_source(const recipe::Recipe& recipe, const models::LlamaConfig& config) {
  return data::make_token_source({.source = recipe.data.source,
                                  .seed = recipe.data.seed,
                                  .context = recipe.workload.context,
                                  .vocabulary = config.vocabulary,
                                  .torch_folder = events::torch_package_folder(),
                                  .tokenizer = recipe.data.tokenizer});
}

std::int64_t tokens_per_step(const recipe::Recipe& recipe) {
  return recipe.training.micro_batch * recipe.training.accumulation * recipe.workload.context;
}

base::Json describe(const recipe::Schedule& schedule) {
  return {{"name", schedule.name}, {"first_update", "rate 0 when there is a warm-up"}};
}

base::Json describe_evaluation(const recipe::Recipe& recipe) {
  return {{"sequences", recipe.evaluation.sequences},
          {"tokens", recipe.evaluation.sequences * recipe.workload.context}};
}

}  // namespace etalon::workloads
