// SPDX-License-Identifier: Apache-2.0
// Dossiers made by the real writer from recorded series (tests/fixtures/report): the first 400 steps of nano on two CPUs, and
// a language model on one H200 from a cold start, its telemetry thinned to one sample a second.
#pragma once

#include <string>
#include <vector>

#include "base/csv.h"
#include "dossier/example.h"

namespace recorded {

using namespace etalon;

inline std::filesystem::path fixture(const std::string& name) {
  return std::filesystem::path(ETALON_FIXTURES) / "report" / name;
}

/// A column says its unit at its end.
inline std::vector<measure::Channel> channels_of(const base::CsvReader& reader) {
  std::vector<measure::Channel> channels;
  for (std::size_t i = 1; i < reader.header().size(); ++i) {
    measure::Channel channel;
    channel.name = reader.header()[i];
    channel.unit = channel.name.substr(channel.name.rfind('_') + 1);
    channel.meaning = "as recorded";
    channel.source = "recording";
    channel.state = "value";
    channels.push_back(channel);
  }
  return channels;
}

inline std::int64_t replay_steps(const std::string& name, measure::Recorder& recorder) {
  base::CsvReader reader(fixture(name + "_steps.csv"));
  const bool has_gpu = reader.header()[2] == "gpu_ns";
  const std::size_t units = has_gpu ? 3 : 2;
  std::vector<std::string_view> cells;
  std::int64_t steps = 0;
  for (; reader.next(cells); ++steps) {
    wire::Step step =
        example::step(steps, reader.integer(cells, 0), reader.integer(cells, 1), reader.integer(cells, units));
    if (has_gpu) step.gpu_ns = reader.integer(cells, 2);
    if (!cells[units + 1].empty()) step.loss = reader.real(cells, units + 1);
    recorder.step(0, step);
  }
  return steps;
}

struct Recording {
  std::string name;    ///< of the fixture: "h200_llm"
  std::string recipe;  ///< TOML
  std::string device;
  std::int64_t parameters;
  std::int64_t units_per_step;
  measure::Window window;
};

inline void write(const Recording& recording, const std::filesystem::path& folder, const machine::Machine& machine) {
  const recipe::RequestedRecipe requested = recipe::parse(recording.recipe, recording.name, recording.name + ".toml");
  dossier::Writer writer(folder, requested, recipe::resolve(requested, {}, {}, machine), machine,
                         {"etalon", "run", recording.name});
  base::CsvReader telemetry(fixture(recording.name + "_telemetry.csv"));
  measure::Recorder& recorder = writer.begin_launch(channels_of(telemetry));
  base::Json hello = example::hello(0, 1);
  hello["device"] = recording.device;
  recorder.event("worker", 0, hello);
  base::Json config = example::config(recording.units_per_step);
  config["parameters"] = recording.parameters;
  recorder.event("worker", 0, config);
  const std::int64_t steps = replay_steps(recording.name, recorder);
  std::vector<std::string_view> cells;
  while (telemetry.next(cells)) {
    std::vector<std::optional<double>> row;
    for (std::size_t i = 1; i < cells.size(); ++i)
      row.push_back(cells[i].empty() ? std::nullopt : std::optional(telemetry.real(cells, i)));
    recorder.telemetry(telemetry.integer(cells, 0), row);
  }
  recorder.event("worker", 0, example::done(steps, steps * recording.units_per_step));
  measure::LaunchOutcome outcome = example::steady(recording.window.first_step, recording.window.last_step, steps);
  outcome.verdict = measure::Verdict::ungated;
  outcome.reason = "a recording, watched by no gate";
  outcome.gates.clear();
  writer.end_launch(outcome);
  writer.seal(measure::Verdict::ungated, outcome.reason);
}

inline void write_nano_cpu(const std::filesystem::path& folder) {
  machine::Machine machine;
  machine.facts.push_back(machine::Fact::known("cpu.count", "CPUs", "recording", 2));
  machine.facts.push_back(machine::Fact::known("memory.total", "main memory", "recording", 25'269'551'104, "bytes"));
  write({"nano_cpu",
         R"toml(schema = 1
title = "Llama of 1.07 M parameters on Python source, fp32, CPU (a recording)"
workload = { family = "llm", model = "nano", context = 128 }
training = { micro_batch = 8, precision = "fp32", optimizer = { name = "adamw", lr = 3e-3 }, schedule = { name = "cosine", total_steps = 1600 } }
data = { source = "torch-source" }
engine = { device = "cpu" }
measure = { profile = "smoke" }
)toml",
         "cpu",
         1'070'464,
         1024,
         {195, 399}},
        folder, machine);
}

inline void write_h200_llm(const std::filesystem::path& folder) {
  machine::Machine machine;
  machine.nvidia_gpus = 1;
  machine.facts.push_back(machine::Fact::known("nvidia.driver", "driver version", "recording", "580.159.04"));
  machine.facts.push_back(machine::Fact::known("nvidia.0.name", "model of GPU 0", "recording", "NVIDIA H200"));
  machine.facts.push_back(
      machine::Fact::known("nvidia.0.memory", "memory of GPU 0", "recording", 150'754'820'096, "bytes"));
  write({"h200_llm",
         R"toml(schema = 1
title = "TinyLlama 1.1B, one batch again and again, bf16 autocast, H200 (a recording)"
workload = { family = "llm", model = "tinyllama-1.1b", context = 2048 }
training = { micro_batch = 8, precision = "bf16-autocast", optimizer = { name = "adamw", lr = 3e-4 }, schedule = { name = "constant", total_steps = 856 } }
data = { source = "synthetic" }
engine = { device = "cuda" }
measure = { profile = "smoke" }
)toml",
         "cuda:0",
         1'100'048'384,
         16384,
         {200, 855}},
        folder, machine);
}

}  // namespace recorded
