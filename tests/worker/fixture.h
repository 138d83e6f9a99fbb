// SPDX-License-Identifier: Apache-2.0
// Reference numbers of public Python models, and small settings that several worker tests share.
#pragma once

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/file.h"
#include "base/json.h"
#include "tests/temporary_folder.h"
#include "worker/workloads/workload.h"

namespace etalon::worker_test {

/// Tests run side by side: threads of one that wait for each other would take the CPUs from the rest.
inline const bool one_thread = (at::set_num_threads(1), true);

inline base::Json parity(const std::string& name) {
  const std::string path = std::string(ETALON_FIXTURES) + "/parity/llm/" + name + ".json";
  return base::parse_json(base::read_file(path), path);
}

/// Writes a file of a test's folder and returns its path.
inline std::filesystem::path write(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  std::filesystem::create_directories((folder / name).parent_path());
  std::ofstream(folder / name) << text;
  return folder / name;
}

/// nano on synthetic tokens with short sequences: a step takes milliseconds.
inline recipe::Recipe small_recipe() {
  recipe::Recipe recipe;
  recipe.workload = {.family = "llm", .model = "nano", .context = 16};
  recipe.training.method = "full";
  recipe.training.weights = "random";
  recipe.training.lora = {.rank = 4, .alpha = 8, .targets = {"q_proj", "v_proj"}};
  recipe.training.micro_batch = 2;
  recipe.training.accumulation = 1;
  recipe.training.precision = "fp32";
  recipe.training.checkpointing = "none";
  recipe.training.sharding = "none";
  recipe.training.attention = "auto";
  recipe.training.seed = 7;
  recipe.training.optimizer = {
      .name = "adamw", .learning_rate = 1e-3, .betas = {0.9, 0.95}, .epsilon = 1e-8, .weight_decay = 0.1, .clip = 1};
  recipe.training.schedule = {.name = "cosine", .warmup_steps = 2, .total_steps = 6, .final_fraction = 0.1};
  recipe.data = {.source = "synthetic", .tokenizer = "bytes", .seed = 3};
  recipe.evaluation = {.every_steps = 0, .sequences = 3};
  recipe.engine = {.name = "native", .execution = "plain", .device = "cpu", .threads = 1};
  recipe.launch = {.gpus = 0, .launcher = "local", .startup_deadline_seconds = 60, .silence_deadline_seconds = 60};
  recipe.measure = {.profile = "smoke",
                    .launches = 1,
                    .warmup_seconds = 0,
                    .window_seconds = 1,
                    .cap_seconds = 10,
                    .until = "window",
                    .confidence = 0.95,
                    .half_width = 1,
                    .fewest_batches = 2,
                    .drift = 1,
                    .telemetry_interval_seconds = 1};
  return recipe;
}

}  // namespace etalon::worker_test
