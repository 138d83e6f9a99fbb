// SPDX-License-Identifier: Apache-2.0
// What to run, with nothing left to ask: the resolved recipe. Every field stands in the table of keys.cpp with its type,
// range, default and meaning; a new key is one member here and one line there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace etalon::recipe {

struct Workload {
  std::string family;        // "llm"
  std::string model;         // a name of the worker's catalogue, or a config.json
  std::int64_t context = 0;  // tokens per sequence
};

struct Optimizer {
  std::string name;          // "adamw", "sgd", …
  double learning_rate = 0;  // key "lr"
  std::vector<double> betas;
  double epsilon = 0;  // key "eps"
  double weight_decay = 0;
  double momentum = 0;  // of sgd
  double clip = 0;      // global gradient norm, 0 = off
};

struct Schedule {
  std::string name;  // "cosine" or "constant"
  std::int64_t warmup_steps = 0;
  std::int64_t total_steps = 0;
  double final_fraction = 0;  // of lr, reached at total_steps and kept
};

struct Lora {
  std::int64_t rank = 0;
  double alpha = 0;  // what the adapters give is multiplied by alpha / rank
  std::vector<std::string> targets;
};

struct Training {
  std::string method;
  std::string weights;           // "random", "fill" or "safetensors:PATH"
  std::string save;              // folder, "" = nowhere
  std::int64_t micro_batch = 0;  // sequences per rank and micro-step
  std::int64_t accumulation = 0;
  std::string precision;
  std::string checkpointing;
  std::string sharding;
  std::string attention;
  std::int64_t seed = 0;
  Lora lora;
  Optimizer optimizer;
  Schedule schedule;
};

struct Data {
  std::string source;     // "synthetic", "torch-source", "text:FILE", …
  std::string tokenizer;  // of sources that are text: "bytes", "gpt2:FILE", "sentencepiece:FILE"
  std::int64_t seed = 0;
};

struct Evaluation {
  std::int64_t every_steps = 0;  // 0 = only at total_steps
  std::int64_t sequences = 0;    // held-out sequences per evaluation, 0 = never evaluate
};

struct Target {
  double loss = 0;  // nats per unit on held-out data, 0 = none
};

struct Engine {
  std::string name;          // "native"
  std::string execution;     // "plain" or "fused"
  std::string device;        // "auto", "cpu", "cuda"
  std::int64_t threads = 0;  // CPU threads of the worker, 0 = all it may use
};

struct Launch {
  std::int64_t gpus = 0;
  std::string launcher;                 // "local"
  double startup_deadline_seconds = 0;  // until the first step
  double silence_deadline_seconds = 0;  // between two events
};

struct Measure {
  std::string profile;  // "smoke", "quick", "publish"
  std::int64_t launches = 0;
  double warmup_seconds = 0;  // at least, from the first step
  double window_seconds = 0;  // at least
  double cap_seconds = 0;     // launch ends here whatever the gates say
  std::string until;          // "window": stop when the window is good; "training", "target": that must be done too
  double confidence = 0;
  double half_width = 0;  // relative, the precision gate
  std::int64_t fewest_batches = 0;
  double drift = 0;  // relative, between the window's halves
  double telemetry_interval_seconds = 0;
};

struct Power {
  std::vector<std::string> meters;
};

struct Recipe {
  std::int64_t schema = 1;
  std::string title;
  Workload workload;
  Training training;
  Data data;
  Evaluation evaluation;
  Target target;
  Engine engine;
  Launch launch;
  Measure measure;
  Power power;
};

}  // namespace etalon::recipe
