// SPDX-License-Identifier: Apache-2.0
// Environment variables that change how training runs. Others are nobody's business and are left out.
#include "machine/environment.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "machine/facts/catalog.h"

namespace etalon::machine {
namespace {

/// Threads, maths libraries, CUDA, NCCL, PyTorch, allocators, the loader.
constexpr std::array prefixes{"OMP_",       "GOMP_",           "KMP_",       "MKL_",           "OPENBLAS_",  "ONEDNN_",
                              "DNNL_",      "CUDA_",           "CUBLAS",     "CUDNN",          "NVIDIA_",    "NCCL_",
                              "GLOO_",      "TORCH",           "PYTORCH",    "TRITON_",        "UCX_",       "ETALON_",
                              "MALLOC_",    "LD_LIBRARY_PATH", "LD_PRELOAD", "GLIBC_TUNABLES", "LOCAL_RANK", "RANK",
                              "WORLD_SIZE", "MASTER_",         "SLURM_"};

bool relevant(std::string_view name) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const char* prefix) { return name.starts_with(prefix); });
}

}  // namespace

std::vector<Fact> collect_environment(const CaptureOptions& options) {
  std::vector<Fact> facts;
  for (const auto& [name, value] : environment(options.root)) {
    if (!relevant(name)) continue;
    const std::string shown = options.identify && !names_secret(name) ? value : concealed(name, value, options.root);
    facts.push_back(
        Fact::known("environment." + name, "environment variable", "/proc/self/environ", base::printable(shown)));
  }
  return facts;
}

}  // namespace etalon::machine
