// SPDX-License-Identifier: Apache-2.0
// Small dossiers made by the real writer from steps whose throughput can be worked out by hand.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "dossier/writer.h"
#include "temporary_folder.h"

namespace example {

/// In memory where the system has such a place: a dossier syncs a dozen times, and a slow disk would make the tests slow.
class Place : public TemporaryFolder {
 public:
  Place() : TemporaryFolder(parent()) {}

 private:
  static std::filesystem::path parent() {
    return ::access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : std::filesystem::temp_directory_path();
  }
};

using namespace etalon;

inline constexpr std::int64_t second = 1'000'000'000;

inline const char* recipe_text = R"(schema = 1
title = "An example"
[workload]
family = "llm"
model = "nano"
context = 100
[training]
micro_batch = 10
precision = "fp32"
optimizer = { name = "adamw", lr = 3e-3 }
schedule = { name = "cosine", total_steps = 50 }
[data]
source = "synthetic"
[engine]
device = "cpu"
[measure]
profile = "quick"
)";

inline machine::Machine machine() {
  machine::Machine machine;
  machine.facts.push_back(machine::Fact::known("cpu.model", "processor", "/proc/cpuinfo", "Example 9000"));
  machine.facts.push_back(
      machine::Fact::known("memory.total", "main memory", "/proc/meminfo", 64'000'000'000, "bytes"));
  machine.facts.push_back(machine::Fact::missing("gpu.name", "graphics card", "nvmlDeviceGetName",
                                                 machine::FactState::not_supported, "libnvidia-ml.so.1 is not there"));
  return machine;
}

inline recipe::RequestedRecipe requested() { return recipe::parse(recipe_text, "example", "example.toml"); }

/// `assignments` as of --set.
inline recipe::ResolvedRecipe resolved(const std::vector<std::string>& assignments = {}) {
  std::map<std::string, recipe::WrittenValue> values;
  for (const std::string& assignment : assignments) {
    const auto [key, value] = recipe::parse_assignment(assignment, {"command line", "--set"});
    values[key] = value;
  }
  return recipe::resolve(requested(), values, {}, machine());
}

inline std::vector<measure::Channel> channels() {
  return {{"cpu_use_percent", "%", "use of all CPUs", "proc_stat", "value", ""},
          {"package_power_watts", "W", "power of the processor", "rapl", "not permitted",
           "energy_uj is readable by root alone (EACCES)"},
          {"memory_used_bytes", "bytes", "memory in use", "proc_meminfo", "value", ""}};
}

inline base::Json hello(int rank, int world_size) {
  return {{"type", "hello"},    {"protocol", 1},
          {"engine", "native"}, {"versions", {{"pytorch", "2.11.0"}}},
          {"rank", rank},       {"world_size", world_size},
          {"process_id", 7},    {"device", "cpu"}};
}

inline base::Json config(std::int64_t units_per_step, const std::string& unit = "token") {
  return {{"type", "config"},
          {"parameters", 1000},
          {"unit", unit},
          {"units_per_step", units_per_step},
          {"flops_per_unit", 6000.0},
          {"details", {{"attention", "math"}, {"parameter_dtype", "fp32"}}}};
}

inline base::Json eval(std::int64_t step, std::int64_t start_ns, std::int64_t end_ns, double loss) {
  return {{"type", "eval"},   {"name", "held-out"}, {"step", step}, {"start_ns", start_ns},
          {"end_ns", end_ns}, {"units", 100},       {"loss", loss}};
}

inline base::Json done(std::int64_t steps, std::int64_t units) {
  return {{"type", "done"}, {"steps", steps}, {"units", units}, {"reason", "finished"}};
}

inline wire::Step step(std::int64_t index, std::int64_t start_ns, std::int64_t end_ns, std::int64_t units) {
  wire::Step step;
  step.index = index;
  step.start_ns = start_ns;
  step.end_ns = end_ns;
  step.units = units;
  return step;
}

inline measure::LaunchOutcome steady(std::int64_t first_step, std::int64_t last_step, std::int64_t steps) {
  measure::LaunchOutcome outcome;
  outcome.verdict = measure::Verdict::steady;
  outcome.reason = "all gates opened";
  outcome.ending = "exited with status 0";
  outcome.window = measure::Window{first_step, last_step};
  outcome.gates = {{"warm-up", true, 61.0, 60.0, "s", "61.0 s since the first step, 60.0 s wanted"},
                   {"window", true, 200.0, 60.0, "s", "200.0 s measured, 60.0 s wanted"},
                   {"precision", true, 0.0, 0.01, "relative", "95 % interval ±0.0 %, ±1.0 % allowed"},
                   {"drift", true, 0.0, 0.005, "relative", "second half 0.0 % slower, 0.5 % allowed"}};
  outcome.steps = steps;
  return outcome;
}

/// 200 steps of 1,000 tokens; step i runs from 100 + 2 i to 102 + 2 i seconds (500 tokens/s), an evaluation of 3 s lies between
/// steps 149 and 150, which begins that much later.
inline constexpr std::int64_t example_steps = 200;
inline void record_example(measure::Recorder& recorder) {
  recorder.event("worker", 0, hello(0, 1));
  recorder.event("worker", 0, config(1000));
  std::int64_t now = 100 * second;
  for (std::int64_t i = 0; i < example_steps; ++i) {
    if (i == 150) {
      recorder.event("worker", 0, eval(150, now, now + 3 * second, 1.25));
      now += 3 * second;
    }
    recorder.step(0, step(i, now, now + 2 * second, 1000));
    recorder.telemetry(now, {50.0 + static_cast<double>(i % 2), std::nullopt});
    now += 2 * second;
  }
  recorder.event("worker", 0, done(example_steps, example_steps * 1000));
  recorder.log("ready\n");
  recorder.flush(false);
}

inline dossier::Writer begin(const std::filesystem::path& folder, const std::vector<std::string>& assignments = {}) {
  return dossier::Writer(folder, requested(), resolved(assignments), machine(), {"etalon", "run", "example"});
}

/// A sealed, steady dossier with the window of steps 100 to 199.
inline void write(const std::filesystem::path& folder) {
  dossier::Writer writer = begin(folder);
  writer.set_preflight({{"forbids_run", false},
                        {"findings",
                         {{{"id", "OUT-01"},
                           {"title", "Output"},
                           {"level", "pass"},
                           {"evidence", "64 GB free"},
                           {"reason", ""},
                           {"remedy", ""}}}}});
  record_example(writer.begin_launch(channels()));
  writer.end_launch(steady(100, 199, example_steps));
  writer.seal(measure::Verdict::steady, "all gates opened");
}

inline void overwrite(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

/// Replaces the first `old_text` of a file; throws when it is not there.
inline void edit(const std::filesystem::path& path, const std::string& old_text, const std::string& new_text) {
  std::string text = base::read_file(path);
  const std::size_t place = text.find(old_text);
  if (place == std::string::npos) throw std::runtime_error(path.string() + " does not hold " + old_text);
  overwrite(path, text.replace(place, old_text.size(), new_text));
}

}  // namespace example
