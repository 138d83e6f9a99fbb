// SPDX-License-Identifier: Apache-2.0
// The worker's command line. Under the controller it has none: the order comes over the socket.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "worker/data/make_shards.h"

namespace etalon::worker {

struct Arguments {
  bool help = false;
  bool version = false;
  bool list = false;
  bool bench_kernels = false;
  std::optional<std::filesystem::path> order;  ///< stand-alone: the recipe to train, events on standard output
  std::optional<std::int64_t> steps;           ///< stand-alone: finish after so many; default total_steps
  std::optional<data::ShardOrder> shards;      ///< make token shards instead of training
};

/// Throws base::Error(usage).
Arguments parse_arguments(int count, char** words);

/// For --help; the same words that parse_arguments accepts.
std::string help_text();

}  // namespace etalon::worker
