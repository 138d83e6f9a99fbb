// SPDX-License-Identifier: Apache-2.0
// Choice of the device, and the check that it really computes.
#include "worker/device/device.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "worker/events/libraries.h"
#include "worker/failure.h"
#include "worker/kernels/self_check.h"

namespace etalon::device {
namespace {

/// Empty when LibTorch's CUDA part is in the process, else the reason.
std::string load_cuda_part() {
  const std::filesystem::path library = events::torch_library_folder() / "libtorch_cuda.so";
  if (!std::filesystem::exists(library)) {
    return "this PyTorch was built without CUDA";
  }
  if (dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    const char* const said = dlerror();
    return std::string("LibTorch's CUDA part does not load: ") + (said == nullptr ? "unknown reason" : said);
  }
  return at::hasCUDA() && at::detail::getCUDAHooks().deviceCount() > 0
             ? ""
             : "LibTorch finds no usable GPU (is the driver too old for its CUDA?)";
}

void check_kernels(const Card& card) {
  const kernels::SelfCheckResult result = kernels::run_self_check();
  const std::string built = kernels::built_architectures();
  if (result.code == kernels::no_kernels_built) {
    return;
  }
  if (result.code == kernels::no_kernel_image) {
    throw worker::unsupported(
        "this build has kernels for compute capability " + built + ", the " + card.name + " has " + card.capability,
        "./bootstrap build --archs " + card.capability);
  }
  if (result.code != 0) {
    throw worker::Failure("internal", std::string("the self-check on the GPU failed: ") + result.message,
                          "look for messages of the driver (dmesg | grep -i nvrm), then try again");
  }
  if (result.checksum != kernels::self_check_reference()) {
    throw worker::Failure("internal", "the GPU computed a wrong checksum in the self-check",
                          "do not trust this card: test its memory and cooling before measuring");
  }
}

/// CPUs that the control group grants, rounded up; 0 when it sets no limit.
int granted_cpus() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  double quota = 0;
  double period = 0;
  return file >> quota >> period && period > 0 ? static_cast<int>(std::ceil(quota / period)) : 0;
}

}  // namespace

Device choose_device(const std::string& wanted) {
  if (wanted != "auto" && wanted != "cpu" && wanted != "cuda") {
    throw worker::unsupported("device \"" + wanted + "\" is unknown", "set engine.device to auto, cpu or cuda");
  }
  if (wanted == "cpu") {
    return {};
  }
  DriverAnswer answer = ask_cuda_driver();
  if (answer.card) {
    answer.reason = load_cuda_part();
  }
  if (answer.reason.empty()) {
    check_kernels(*answer.card);
    return {at::Device(at::kCUDA, 0), answer.card, ""};
  }
  if (wanted == "cuda") {
    throw worker::unsupported("engine.device is cuda, but " + answer.reason,
                              "install a driver for the card, or set engine.device=cpu");
  }
  return {at::Device(at::kCPU), std::nullopt, answer.reason};
}

int set_threads(std::int64_t wanted) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  int available = sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
  if (const int granted = granted_cpus(); granted > 0) {
    available = std::min(available, granted);
  }
  at::set_num_threads(wanted > 0 ? static_cast<int>(wanted) : available);
  return at::get_num_threads();
}

}  // namespace etalon::device
