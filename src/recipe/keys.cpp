// SPDX-License-Identifier: Apache-2.0
// The table of all keys: name, member, who gives the value when nobody wrote it, unit, meaning, range or choices.
#include "recipe/key.h"
#include "recipe/profiles.h"

namespace etalon::recipe {

namespace {

constexpr double any = std::numeric_limits<double>::infinity();
constexpr double longest_seconds = 30.0 * 24 * 3600;
constexpr double largest_integer = 9007199254740991;  // 2^53 − 1: exact in every reader of JSON

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const Profile& profile : profiles()) names.push_back(profile.name);
  return names;
}

/// The default of a key, or who gives its value instead.
struct Given {
  Given(Supplier by) : supplier(by) {}
  template <class Value>
  Given(Value value) : supplier(Supplier::built_in), built_in(std::move(value)) {}
  Supplier supplier;
  base::Json built_in = nullptr;
};

/// One row of the table while it is written down.
class Row {
 public:
  Row(std::string name, Member member, Given given, std::string meaning)
      : key_{std::move(name), member, given.supplier, std::move(given.built_in), {}, std::move(meaning)} {}
  Row& unit(std::string unit) { return key_.unit = std::move(unit), *this; }
  Row& range(Range range) { return key_.range = range, *this; }
  Row& choices(std::vector<std::string> choices) { return key_.choices = std::move(choices), *this; }
  Row& length(std::size_t length) { return key_.length = length, *this; }
  Row& later(std::string choice, std::string reason) {
    key_.later.push_back({std::move(choice), std::move(reason)});
    return *this;
  }
  Row& later(const std::vector<std::string>& choices) {
    for (const std::string& choice : choices) later(choice, "");
    return *this;
  }
  operator Key() const { return key_; }

 private:
  Key key_;
};

template <auto... Chain>
Row key(std::string name, Given given, std::string meaning) {
  return {std::move(name), &reach<Chain...>, std::move(given), std::move(meaning)};
}

std::vector<Key> general_keys() {
  return {
      key<&Recipe::schema>("schema", 1, "version of the recipe format").range({1, 1}),
      key<&Recipe::title>("title", "", "one line for lists and reports"),
  };
}

std::vector<Key> workload_keys() {
  return {
      key<&Recipe::workload, &Workload::family>("workload.family", Supplier::recipe, "kind of model")
          .choices({"llm"})
          .later({"vision", "diffusion"}),
      key<&Recipe::workload, &Workload::model>(
          "workload.model", Supplier::recipe,
          "a name of the worker's catalogue (`etalon-torch --list`), or the path of a config.json"),
      key<&Recipe::workload, &Workload::context>("workload.context", Supplier::recipe, "length of each sequence")
          .unit("tokens")
          .range({1, 1048576}),
  };
}

std::vector<Key> training_keys() {
  return {
      key<&Recipe::training, &Training::method>("training.method", "full", "which parameters are trained")
          .choices({"full", "lora", "qlora"}),
      key<&Recipe::training, &Training::weights>(
          "training.weights", "random",
          "first values of the parameters: drawn by training.seed, those for comparing implementations, or a "
          ".safetensors file or a folder with them (its path from the working directory)")
          .choices({"random", "fill", "safetensors:PATH"}),
      key<&Recipe::training, &Training::save>("training.save", "",
                                              "folder in which the trained weights, or the adapters as PEFT keeps "
                                              "them, are written at the end; empty = they are not kept"),
      key<&Recipe::training, &Training::micro_batch>("training.micro_batch", Supplier::recipe,
                                                     "sequences per GPU (or CPU process) and micro-step")
          .unit("sequences")
          .range({1, 1048576}),
      key<&Recipe::training, &Training::accumulation>("training.accumulation", 1, "micro-steps per optimiser step")
          .unit("micro-steps")
          .range({1, 1048576}),
      key<&Recipe::training, &Training::precision>(
          "training.precision", Supplier::recipe,
          "number format of the arithmetic; autocast and fp8 keep parameters and optimiser in fp32, bf16 keeps all in "
          "bfloat16 and rounds updates stochastically")
          .choices({"fp32", "tf32", "bf16-autocast", "fp16-autocast", "bf16", "fp8"})
          .later("fp4", "PyTorch has no FP4 product with gradients"),
      key<&Recipe::training, &Training::checkpointing>("training.checkpointing", "none",
                                                       "what the backward pass recomputes instead of keeping")
          .choices({"none", "selective", "full"}),
      key<&Recipe::training, &Training::sharding>("training.sharding", "none", "how several GPUs share the training")
          .choices({"none"})
          .later({"ddp", "zero1", "zero2", "zero3"}),
      key<&Recipe::training, &Training::attention>(
          "training.attention", "auto", "attention kernel; auto lets PyTorch choose, and the dossier records which")
          .choices({"auto", "math"})
          .later({"cudnn", "flash", "efficient"}),
      key<&Recipe::training, &Training::seed>("training.seed", 1234, "seed of the initial parameters")
          .range({0, largest_integer}),
  };
}

std::vector<Key> lora_keys() {
  return {
      key<&Recipe::training, &Training::lora, &Lora::rank>("training.lora.rank", 16,
                                                           "inner width of the adapters (methods lora and qlora)")
          .range({1, 65536}),
      key<&Recipe::training, &Training::lora, &Lora::alpha>("training.lora.alpha", 32.0,
                                                            "what an adapter gives is multiplied by alpha / rank")
          .range({0, 1e6, true}),
      key<&Recipe::training, &Training::lora, &Lora::targets>(
          "training.lora.targets",
          base::Json::array({"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}),
          "linear layers that get an adapter; there is no dropout")
          .choices({"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}),
  };
}

std::vector<Key> optimizer_keys() {
  return {
      key<&Recipe::training, &Training::optimizer, &Optimizer::name>("training.optimizer.name", "adamw", "optimiser")
          .choices({"adamw", "adam", "sgd", "sgd-nesterov"}),
      key<&Recipe::training, &Training::optimizer, &Optimizer::learning_rate>("training.optimizer.lr", Supplier::recipe,
                                                                              "peak learning rate")
          .range({0, 1000, true}),
      key<&Recipe::training, &Training::optimizer, &Optimizer::betas>(
          "training.optimizer.betas", base::Json::array({0.9, 0.95}), "decay of the first and second moment")
          .range({0, 1, false, true})
          .length(2),
      key<&Recipe::training, &Training::optimizer, &Optimizer::epsilon>("training.optimizer.eps", 1e-8,
                                                                        "added to the root of the second moment")
          .range({0, 1, true}),
      key<&Recipe::training, &Training::optimizer, &Optimizer::weight_decay>(
          "training.optimizer.weight_decay", 0.1, "weight decay of matrices; decoupled with adamw")
          .range({0, 1000}),
      key<&Recipe::training, &Training::optimizer, &Optimizer::momentum>("training.optimizer.momentum", 0.9,
                                                                         "decay of the momentum (sgd, sgd-nesterov)")
          .range({0, 1, false, true}),
      key<&Recipe::training, &Training::optimizer, &Optimizer::clip>(
          "training.optimizer.clip", 1.0, "largest global norm of the gradient; 0 = no clipping")
          .range({0, any}),
  };
}

std::vector<Key> schedule_keys() {
  return {
      key<&Recipe::training, &Training::schedule, &Schedule::name>("training.schedule.name", "cosine",
                                                                   "course of the learning rate after its warm-up")
          .choices({"cosine", "constant"}),
      key<&Recipe::training, &Training::schedule, &Schedule::warmup_steps>(
          "training.schedule.warmup_steps", 0, "steps over which the learning rate rises linearly")
          .unit("steps")
          .range({0, 1e9}),
      key<&Recipe::training, &Training::schedule, &Schedule::total_steps>(
          "training.schedule.total_steps", Supplier::recipe, "optimiser steps of the whole training")
          .unit("steps")
          .range({1, 1e9}),
      key<&Recipe::training, &Training::schedule, &Schedule::final_fraction>(
          "training.schedule.final_fraction", 0.1, "learning rate at total_steps, kept from there on (cosine)")
          .unit("of lr")
          .range({0, 1}),
  };
}

std::vector<Key> data_keys() {
  return {
      key<&Recipe::data, &Data::source>(
          "data.source", "torch-source",
          "what is trained on: the Python files of the installed torch package, a text "
          "file, token shards (.bin of llm.c or nanoGPT: a file, a folder or a pattern), a "
          "Markov chain of known entropy (built in or of a JSON file), or random tokens; "
          "paths count from the working directory")
          .choices({"torch-source", "text:FILE", "tokens:PATH", "markov", "markov:FILE", "synthetic"})
          .later({"imagefolder:DIR", "tar:GLOB", "captions:DIR", "latents:DIR"}),
      key<&Recipe::data, &Data::tokenizer>(
          "data.tokenizer", "bytes",
          "how a text becomes tokens: its bytes, GPT-2's pairs (the file is a vocab.bpe or "
          "merges.txt), or a sentencepiece model (tokenizer.model)")
          .choices({"bytes", "gpt2:FILE", "sentencepiece:FILE"}),
      key<&Recipe::data, &Data::seed>("data.seed", 1234, "seed of the order of the data").range({0, largest_integer}),
      key<&Recipe::evaluation, &Evaluation::every_steps>("evaluation.every_steps", 0,
                                                         "steps between evaluations; 0 = only at total_steps")
          .unit("steps")
          .range({0, 1e9}),
      key<&Recipe::evaluation, &Evaluation::sequences>("evaluation.sequences", 0,
                                                       "held-out sequences per evaluation; 0 = never evaluate")
          .unit("sequences")
          .range({0, 1048576}),
      key<&Recipe::target, &Target::loss>(
          "target.loss", 0.0, "the time until an evaluation finds this loss or less is measured; 0 = no target")
          .unit("nats/unit")
          .range({0, 1000}),
  };
}

std::vector<Key> engine_keys() {
  return {
      key<&Recipe::engine, &Engine::name>("engine.name", "native", "who trains")
          .choices({"native"})
          .later({"eager", "compile", "command"}),
      key<&Recipe::engine, &Engine::execution>(
          "engine.execution", "plain",
          "how the native engine trains: plain = ATen and autograd; fused = its own list of operations, planned memory "
          "and recorded steps")
          .choices({"plain", "fused"}),
      key<&Recipe::engine, &Engine::device>("engine.device", Supplier::machine,
                                            "where; auto takes a usable NVIDIA GPU, else the CPU")
          .choices({"auto", "cpu", "cuda"}),
      key<&Recipe::engine, &Engine::threads>("engine.threads", 0,
                                             "CPU threads of the worker; 0 = one for each CPU that it may use")
          .unit("threads")
          .range({0, 4096}),
      key<&Recipe::launch, &Launch::gpus>("launch.gpus", Supplier::machine, "GPUs that train together; 0 on the CPU")
          .unit("GPUs")
          .range({0, 1024}),
      key<&Recipe::launch, &Launch::launcher>("launch.launcher", "local", "who starts the processes")
          .choices({"local"})
          .later({"torchrun", "srun"}),
      key<&Recipe::launch, &Launch::startup_deadline_seconds>("launch.startup_deadline_seconds", 300.0,
                                                              "a launch without a first step by then has failed")
          .unit("s")
          .range({0, longest_seconds, true}),
      key<&Recipe::launch, &Launch::silence_deadline_seconds>("launch.silence_deadline_seconds", 120.0,
                                                              "a worker without any event for so long has failed")
          .unit("s")
          .range({0, longest_seconds, true}),
  };
}

std::vector<Key> measure_keys() {
  return {
      key<&Recipe::measure, &Measure::profile>("measure.profile", "quick", "named set of the thresholds below")
          .choices(profile_names())
          .later("publish", "its thermal gate is not part of this version"),
      key<&Recipe::measure, &Measure::launches>("measure.launches", Supplier::profile,
                                                "fresh processes measured one after the other")
          .unit("launches")
          .range({1, 100}),
      key<&Recipe::measure, &Measure::warmup_seconds>("measure.warmup_seconds", Supplier::profile,
                                                      "least time from the first step to the window")
          .unit("s")
          .range({0, longest_seconds}),
      key<&Recipe::measure, &Measure::window_seconds>("measure.window_seconds", Supplier::profile,
                                                      "least length of the measured window")
          .unit("s")
          .range({0, longest_seconds, true}),
      key<&Recipe::measure, &Measure::cap_seconds>("measure.cap_seconds", Supplier::profile,
                                                   "a launch ends so long after its first step whatever the gates say")
          .unit("s")
          .range({0, longest_seconds, true}),
      key<&Recipe::measure, &Measure::until>("measure.until", Supplier::profile,
                                             "window: stop when all gates are open; training: when total_steps are "
                                             "done, target: when target.loss is reached "
                                             "(or total_steps are done), whatever they say")
          .choices({"window", "training", "target"}),
  };
}

std::vector<Key> threshold_keys() {
  return {
      key<&Recipe::measure, &Measure::confidence>("measure.confidence", 0.95, "level of the intervals")
          .range({0.5, 1, false, true}),
      key<&Recipe::measure, &Measure::half_width>(
          "measure.half_width", Supplier::profile,
          "precision gate: widest half of the throughput's interval (smoke has no gates)")
          .unit("of the value")
          .range({0, 1, true}),
      key<&Recipe::measure, &Measure::fewest_batches>("measure.fewest_batches", Supplier::profile,
                                                      "precision gate: fewest batch means in the window")
          .unit("batches")
          .range({2, 100000}),
      key<&Recipe::measure, &Measure::drift>("measure.drift", Supplier::profile,
                                             "drift gate: largest difference between the window's halves")
          .unit("of the value")
          .range({0, 1, true}),
      key<&Recipe::measure, &Measure::telemetry_interval_seconds>("measure.telemetry_interval_seconds", 0.5,
                                                                  "time between two readings of the machine's sensors")
          .unit("s")
          .range({0.05, 60}),
      key<&Recipe::power, &Power::meters>("power.meters", base::Json::array(), "wall meters; none in this version")
          .later({"shelly:HOST", "tasmota:HOST", "snmp:HOST", "command:COMMAND"}),
  };
}

}  // namespace

const std::vector<Key>& keys() {
  static const std::vector<Key> table = [] {
    std::vector<Key> all;
    for (const auto& section : {general_keys(), workload_keys(), training_keys(), lora_keys(), optimizer_keys(),
                                schedule_keys(), data_keys(), engine_keys(), measure_keys(), threshold_keys()})
      all.insert(all.end(), section.begin(), section.end());
    return all;
  }();
  return table;
}

}  // namespace etalon::recipe
