// SPDX-License-Identifier: Apache-2.0
// The table of all keys: name, member, who gives the value when nobody wrote it, unit, meaning, range or choices.
#include "recipe/key.h"
#include "recipe/profiles.h"

namespace etalon::recipe {

namespace {

constexpr double any = std::numeric_limits<double>::infinity();
constexpr double longest_seconds = 30.0 * 24 * 3600;
constexpr double largest_integer = 9007199254740991;   // 2^53 − 1: exact in every reader of JSON

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const Profile& profile : profiles()) names.push_back(profile.name);
  return names;
}

template <auto... Chain>
constexpr auto at = &reach<Chain...>;

std::vector<Key> general_keys() {
  return {
      {"schema", at<&Recipe::schema>, Supplier::built_in, 1, "", "version of the recipe format", {1, 1}},
      {"title", at<&Recipe::title>, Supplier::built_in, "", "", "one line for lists and reports"},
  };
}

std::vector<Key> workload_keys() {
  return {
      {"workload.family", at<&Recipe::workload, &Workload::family>, Supplier::recipe, {}, "", "kind of model",
       {}, {"llm"}, {{"vision", ""}, {"diffusion", ""}}},
      {"workload.model", at<&Recipe::workload, &Workload::model>, Supplier::recipe, {}, "",
       "a name of the worker's catalogue (`etalon-torch --list`), or the path of a config.json"},
      {"workload.context", at<&Recipe::workload, &Workload::context>, Supplier::recipe, {}, "tokens", "length of each sequence",
       {1, 1048576}},
  };
}

std::vector<Key> training_keys() {
  return {
      {"training.method", at<&Recipe::training, &Training::method>, Supplier::built_in, "full", "", "which parameters are trained",
       {}, {"full"}, {{"lora", ""}, {"qlora", ""}}},
      {"training.micro_batch", at<&Recipe::training, &Training::micro_batch>, Supplier::recipe, {}, "sequences",
       "sequences per GPU (or CPU process) and micro-step", {1, 1048576}},
      {"training.accumulation", at<&Recipe::training, &Training::accumulation>, Supplier::built_in, 1, "micro-steps",
       "micro-steps per optimiser step", {1, 1048576}},
      {"training.precision", at<&Recipe::training, &Training::precision>, Supplier::recipe, {}, "",
       "number format of the arithmetic; autocast keeps parameters and optimiser in fp32",
       {}, {"fp32", "tf32", "bf16-autocast"}, {{"fp16-autocast", ""}, {"bf16", ""}, {"fp8", ""}}},
      {"training.checkpointing", at<&Recipe::training, &Training::checkpointing>, Supplier::built_in, "none", "",
       "what the backward pass recomputes instead of keeping", {}, {"none"}, {{"selective", ""}, {"full", ""}}},
      {"training.sharding", at<&Recipe::training, &Training::sharding>, Supplier::built_in, "none", "",
       "how several GPUs share the training", {}, {"none"}, {{"ddp", ""}, {"zero1", ""}, {"zero2", ""}, {"zero3", ""}}},
      {"training.attention", at<&Recipe::training, &Training::attention>, Supplier::built_in, "auto", "",
       "attention kernel; auto lets PyTorch choose, and the dossier records which",
       {}, {"auto", "math"}, {{"cudnn", ""}, {"flash", ""}, {"efficient", ""}}},
      {"training.seed", at<&Recipe::training, &Training::seed>, Supplier::built_in, 1234, "", "seed of the initial parameters",
       {0, largest_integer}},
      {"training.optimizer.name", at<&Recipe::training, &Training::optimizer, &Optimizer::name>, Supplier::built_in, "adamw", "",
       "optimiser", {}, {"adamw"}},
      {"training.optimizer.lr", at<&Recipe::training, &Training::optimizer, &Optimizer::learning_rate>, Supplier::recipe, {}, "",
       "peak learning rate", {0, 1000, true}},
      {"training.optimizer.betas", at<&Recipe::training, &Training::optimizer, &Optimizer::betas>, Supplier::built_in,
       base::Json::array({0.9, 0.95}), "", "decay of the first and second moment", {0, 1, false, true}, {}, {}, 2},
      {"training.optimizer.eps", at<&Recipe::training, &Training::optimizer, &Optimizer::epsilon>, Supplier::built_in, 1e-8, "",
       "added to the root of the second moment", {0, 1, true}},
      {"training.optimizer.weight_decay", at<&Recipe::training, &Training::optimizer, &Optimizer::weight_decay>,
       Supplier::built_in, 0.1, "", "decoupled weight decay", {0, 1000}},
      {"training.optimizer.clip", at<&Recipe::training, &Training::optimizer, &Optimizer::clip>, Supplier::built_in, 1.0, "",
       "largest global norm of the gradient; 0 = no clipping", {0, any}},
      {"training.schedule.name", at<&Recipe::training, &Training::schedule, &Schedule::name>, Supplier::built_in, "cosine", "",
       "course of the learning rate after its warm-up", {}, {"cosine", "constant"}},
      {"training.schedule.warmup_steps", at<&Recipe::training, &Training::schedule, &Schedule::warmup_steps>, Supplier::built_in, 0,
       "steps", "steps over which the learning rate rises linearly", {0, 1e9}},
      {"training.schedule.total_steps", at<&Recipe::training, &Training::schedule, &Schedule::total_steps>, Supplier::recipe, {},
       "steps", "optimiser steps of the whole training", {1, 1e9}},
      {"training.schedule.final_fraction", at<&Recipe::training, &Training::schedule, &Schedule::final_fraction>,
       Supplier::built_in, 0.1, "of lr", "learning rate at total_steps, kept from there on (cosine)", {0, 1}},
  };
}

std::vector<Key> data_keys() {
  return {
      {"data.source", at<&Recipe::data, &Data::source>, Supplier::built_in, "torch-source", "",
       "what is trained on: the Python files of the installed torch package, a text file (its path from the working directory), or random tokens",
       {}, {"torch-source", "text:FILE", "synthetic"},
       {{"markov:FILE", ""}, {"tokens:FILE", ""}, {"imagefolder:DIR", ""}, {"tar:GLOB", ""},
        {"captions:DIR", ""}, {"latents:DIR", ""}}},
      {"data.seed", at<&Recipe::data, &Data::seed>, Supplier::built_in, 1234, "", "seed of the order of the data",
       {0, largest_integer}},
      {"evaluation.every_steps", at<&Recipe::evaluation, &Evaluation::every_steps>, Supplier::built_in, 0, "steps",
       "steps between evaluations; 0 = only at total_steps", {0, 1e9}},
      {"evaluation.sequences", at<&Recipe::evaluation, &Evaluation::sequences>, Supplier::built_in, 0, "sequences",
       "held-out sequences per evaluation; 0 = never evaluate", {0, 1048576}},
  };
}

std::vector<Key> engine_keys() {
  return {
      {"engine.name", at<&Recipe::engine, &Engine::name>, Supplier::built_in, "native", "", "who trains",
       {}, {"native"}, {{"eager", ""}, {"compile", ""}, {"command", ""}}},
      {"engine.device", at<&Recipe::engine, &Engine::device>, Supplier::machine, {}, "",
       "where; auto takes a usable NVIDIA GPU, else the CPU", {}, {"auto", "cpu", "cuda"}},
      {"engine.threads", at<&Recipe::engine, &Engine::threads>, Supplier::built_in, 0, "threads",
       "CPU threads of the worker; 0 = one for each CPU that it may use", {0, 4096}},
      {"launch.gpus", at<&Recipe::launch, &Launch::gpus>, Supplier::machine, {}, "GPUs",
       "GPUs that train together; 0 on the CPU", {0, 1024}},
      {"launch.launcher", at<&Recipe::launch, &Launch::launcher>, Supplier::built_in, "local", "", "who starts the processes",
       {}, {"local"}, {{"torchrun", ""}, {"srun", ""}}},
      {"launch.startup_deadline_seconds", at<&Recipe::launch, &Launch::startup_deadline_seconds>, Supplier::built_in, 300.0,
       "s", "a launch without a first step by then has failed", {0, longest_seconds, true}},
      {"launch.silence_deadline_seconds", at<&Recipe::launch, &Launch::silence_deadline_seconds>, Supplier::built_in, 120.0,
       "s", "a worker without any event for so long has failed", {0, longest_seconds, true}},
  };
}

std::vector<Key> measure_keys() {
  return {
      {"measure.profile", at<&Recipe::measure, &Measure::profile>, Supplier::built_in, "quick", "",
       "named set of the thresholds below", {}, profile_names(),
       {{"publish", "its thermal gate is not part of this version"}}},
      {"measure.launches", at<&Recipe::measure, &Measure::launches>, Supplier::profile, {}, "launches",
       "fresh processes measured one after the other", {1, 100}},
      {"measure.warmup_seconds", at<&Recipe::measure, &Measure::warmup_seconds>, Supplier::profile, {}, "s",
       "least time from the first step to the window", {0, longest_seconds}},
      {"measure.window_seconds", at<&Recipe::measure, &Measure::window_seconds>, Supplier::profile, {}, "s",
       "least length of the measured window", {0, longest_seconds, true}},
      {"measure.cap_seconds", at<&Recipe::measure, &Measure::cap_seconds>, Supplier::profile, {}, "s",
       "a launch ends so long after its first step whatever the gates say", {0, longest_seconds, true}},
      {"measure.until", at<&Recipe::measure, &Measure::until>, Supplier::built_in, "window", "",
       "window: stop when the window is good; training: total_steps must be done too", {}, {"window", "training"}},
      {"measure.confidence", at<&Recipe::measure, &Measure::confidence>, Supplier::built_in, 0.95, "",
       "level of the intervals", {0.5, 1, false, true}},
      {"measure.half_width", at<&Recipe::measure, &Measure::half_width>, Supplier::profile, {}, "of the value",
       "precision gate: widest half of the throughput's interval; 0 = no such gate", {0, 1}},
      {"measure.fewest_batches", at<&Recipe::measure, &Measure::fewest_batches>, Supplier::profile, {}, "batches",
       "precision gate: fewest batch means in the window; 0 = no such gate", {0, 100000}},
      {"measure.drift", at<&Recipe::measure, &Measure::drift>, Supplier::profile, {}, "of the value",
       "drift gate: largest difference between the window's halves; 0 = no such gate", {0, 1}},
      {"measure.telemetry_interval_seconds", at<&Recipe::measure, &Measure::telemetry_interval_seconds>, Supplier::built_in, 0.5,
       "s", "time between two readings of the machine's sensors", {0.05, 60}},
      {"power.meters", at<&Recipe::power, &Power::meters>, Supplier::built_in, base::Json::array(), "",
       "wall meters; none in this version", {}, {}, {{"shelly:HOST", ""}, {"tasmota:HOST", ""}, {"snmp:HOST", ""}, {"command:COMMAND", ""}}},
  };
}

}  // namespace

const std::vector<Key>& keys() {
  static const std::vector<Key> table = [] {
    std::vector<Key> all;
    for (const auto& section : {general_keys(), workload_keys(), training_keys(), data_keys(), engine_keys(), measure_keys()})
      all.insert(all.end(), section.begin(), section.end());
    return all;
  }();
  return table;
}

}  // namespace etalon::recipe
