// SPDX-License-Identifier: Apache-2.0
// Where training runs. LibTorch's CUDA part is loaded only when a GPU is used: a run on the CPU starts faster and maps
// (and hashes) a third of the libraries.
#pragma once

#include <ATen/ATen.h>

#include <optional>
#include <string>

#include "base/json.h"
#include "worker/device/cuda_driver.h"

namespace etalon::device {

struct Device {
  at::Device torch{at::kCPU};
  std::optional<Card> card;  ///< of a GPU
  std::string reason;        ///< why "auto" took the CPU, or empty

  std::string name() const { return torch.str(); }
};

/// `wanted`: "auto", "cpu" or "cuda". Loads LibTorch's CUDA part and proves by a kernel that this build can use the
/// card.
/// Throws worker::Failure when "cuda" is wanted and cannot be had, or the self-check fails.
Device choose_device(const std::string& wanted);

/// Sets the CPU threads of ATen and returns how many are in force; 0 = every CPU that this process may use.
int set_threads(std::int64_t wanted);

}  // namespace etalon::device
