// SPDX-License-Identifier: Apache-2.0
// Each rule is one function that returns what is wrong, or nothing; the list at the end is all of them.
#include "recipe/rules.h"

#include <array>
#include <filesystem>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "base/error.h"
#include "recipe/key.h"
#include "recipe/written.h"

namespace etalon::recipe {

namespace {

struct Breach {
  std::string problem;
  std::string next_step;
};

using Rule = std::optional<Breach> (*)(const ResolvedRecipe&);

/// "measure.cap_seconds = 120.0 (profile smoke)".
std::string named(const ResolvedRecipe& resolved, std::string_view name) {
  const Origin& origin = resolved.origins.at(std::string(name));
  const bool told = origin.place.empty() || origin.place == origin.kind;
  return fmt::format("{} = {} ({}{}{})", name, to_toml(read(resolved.recipe, *find_key(name))), origin.kind,
                     told ? "" : " ", told ? "" : origin.place);
}

std::optional<Breach> window_fits_the_cap(const ResolvedRecipe& resolved) {
  const Measure& measure = resolved.recipe.measure;
  if (measure.warmup_seconds + measure.window_seconds <= measure.cap_seconds) return std::nullopt;
  return Breach{fmt::format("{} and {} do not fit into {}", named(resolved, "measure.warmup_seconds"),
                            named(resolved, "measure.window_seconds"), named(resolved, "measure.cap_seconds")),
                "raise measure.cap_seconds, or shorten the others"};
}

std::optional<Breach> telemetry_sees_the_window(const ResolvedRecipe& resolved) {
  const Measure& measure = resolved.recipe.measure;
  if (measure.telemetry_interval_seconds <= measure.window_seconds) return std::nullopt;
  return Breach{fmt::format("{} is longer than {}", named(resolved, "measure.telemetry_interval_seconds"),
                            named(resolved, "measure.window_seconds")),
                "read the sensors at least once per window"};
}

std::optional<Breach> warmup_ends_in_time(const ResolvedRecipe& resolved) {
  const Schedule& schedule = resolved.recipe.training.schedule;
  if (schedule.warmup_steps <= schedule.total_steps) return std::nullopt;
  return Breach{fmt::format("{} exceeds {}", named(resolved, "training.schedule.warmup_steps"),
                            named(resolved, "training.schedule.total_steps")),
                "shorten the warm-up of the learning rate, or train longer"};
}

std::optional<Breach> tokens_can_be_counted(const ResolvedRecipe& resolved) {
  const Recipe& recipe = resolved.recipe;
  const long double tokens = static_cast<long double>(recipe.workload.context) *
                             static_cast<long double>(recipe.training.micro_batch) *
                             static_cast<long double>(recipe.training.accumulation) *
                             static_cast<long double>(recipe.training.schedule.total_steps);
  if (tokens <= 9007199254740991.0L) return std::nullopt;  // 2^53 − 1, exact in CSV and JSON everywhere
  return Breach{fmt::format("{}, {}, {} and {} make more tokens than can be counted exactly (2^53)",
                            named(resolved, "workload.context"), named(resolved, "training.micro_batch"),
                            named(resolved, "training.accumulation"), named(resolved, "training.schedule.total_steps")),
                "lower one of them"};
}

std::optional<Breach> device_agrees_with_gpus(const ResolvedRecipe& resolved) {
  const bool cuda = resolved.recipe.engine.device == "cuda";
  if (cuda == (resolved.recipe.launch.gpus > 0)) return std::nullopt;
  return Breach{
      fmt::format("{} does not go with {}", named(resolved, "engine.device"), named(resolved, "launch.gpus")),
      cuda ? "give launch.gpus = 1, or leave it out" : "leave launch.gpus out, or train on engine.device = \"cuda\""};
}

std::optional<Breach> one_gpu(const ResolvedRecipe& resolved) {
  if (resolved.recipe.launch.gpus <= 1) return std::nullopt;
  return Breach{fmt::format("{}: training on several GPUs is known to étalon, but this version does not have it",
                            named(resolved, "launch.gpus")),
                "use launch.gpus = 1"};
}

std::optional<Breach> tf32_has_tensor_cores(const ResolvedRecipe& resolved) {
  if (resolved.recipe.training.precision != "tf32" || resolved.recipe.engine.device == "cuda") return std::nullopt;
  return Breach{fmt::format("{} does not go with {}: TF32 is a format of NVIDIA's tensor cores",
                            named(resolved, "training.precision"), named(resolved, "engine.device")),
                "use training.precision = \"fp32\" on a CPU"};
}

/// The keys whose value may be "kind:FILE", with the kinds whose file must be there. What tokens:PATH matches, the worker looks up.
std::optional<Breach> data_files_exist(const ResolvedRecipe& resolved) {
  const Data& data = resolved.recipe.data;
  const std::array<std::tuple<std::string_view, const std::string&, std::string_view>, 4> files{{
      {"data.source", data.source, "text:"},
      {"data.source", data.source, "markov:"},
      {"data.tokenizer", data.tokenizer, "gpt2:"},
      {"data.tokenizer", data.tokenizer, "sentencepiece:"},
  }};
  for (const auto& [key, value, prefix] : files) {
    std::error_code error;
    if (!value.starts_with(prefix) || std::filesystem::is_regular_file(value.substr(prefix.size()), error)) continue;
    return Breach{fmt::format("{}: there is no such file", named(resolved, key)),
                  "the path counts from the working directory, not from the recipe: check both"};
  }
  return std::nullopt;
}

std::optional<Breach> tokenizer_has_a_text(const ResolvedRecipe& resolved) {
  const Data& data = resolved.recipe.data;
  if (data.tokenizer == "bytes" || data.source == "torch-source" || data.source.starts_with("text:"))
    return std::nullopt;
  return Breach{fmt::format("{} does not go with {}, which is no text", named(resolved, "data.tokenizer"),
                            named(resolved, "data.source")),
                "leave data.tokenizer out, or train on a text"};
}

std::optional<Breach> target_is_evaluated(const ResolvedRecipe& resolved) {
  const Recipe& recipe = resolved.recipe;
  if (recipe.target.loss <= 0) {
    if (recipe.measure.until != "target") return std::nullopt;
    return Breach{fmt::format("{} needs a target", named(resolved, "measure.until")), "give target.loss"};
  }
  if (recipe.evaluation.sequences < 1)
    return Breach{fmt::format("{} is looked for on held-out data, and {}", named(resolved, "target.loss"),
                              named(resolved, "evaluation.sequences")),
                  "give evaluation.sequences and evaluation.every_steps"};
  if (recipe.measure.until == "window")
    return Breach{fmt::format("{} may not be reached before the measurement is over: {}",
                              named(resolved, "target.loss"), named(resolved, "measure.until")),
                  "set measure.until to \"target\" (or \"training\", to go on after it)"};
  return std::nullopt;
}

std::optional<Breach> weights_exist(const ResolvedRecipe& resolved) {
  constexpr std::string_view prefix = "safetensors:";
  const std::string& weights = resolved.recipe.training.weights;
  if (!weights.starts_with(prefix)) return std::nullopt;
  std::error_code error;
  if (std::filesystem::exists(weights.substr(prefix.size()), error)) return std::nullopt;
  return Breach{fmt::format("{}: there is no such file or folder", named(resolved, "training.weights")),
                "the path counts from the working directory, not from the recipe: check both"};
}

constexpr std::array rules{window_fits_the_cap,
                           telemetry_sees_the_window,
                           warmup_ends_in_time,
                           tokens_can_be_counted,
                           device_agrees_with_gpus,
                           one_gpu,
                           tf32_has_tensor_cores,
                           data_files_exist,
                           tokenizer_has_a_text,
                           target_is_evaluated,
                           weights_exist};

}  // namespace

void check_rules(const ResolvedRecipe& resolved) {
  for (const Rule rule : rules)
    if (const auto breach = rule(resolved))
      throw base::Error(base::ExitCode::usage, fmt::format("recipe {}: {}", resolved.name, breach->problem),
                        breach->next_step);
}

}  // namespace etalon::recipe
