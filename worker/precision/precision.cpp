// SPDX-License-Identifier: Apache-2.0
// fp32, tf32 and bf16-autocast.
#include "worker/precision/precision.h"

#include <ATen/autocast_mode.h>

#include "worker/failure.h"
#include "worker/libtorch_version.h"

namespace etalon::precision {

Precision::Precision(const std::string& name, const at::Device& device) : name_(name), device_(device) {
  if (name != "fp32" && name != "tf32" && name != "bf16-autocast") {
    throw worker::unsupported("precision \"" + name + "\" is not served by the native worker yet",
                              "set training.precision to fp32, tf32 or bf16-autocast");
  }
  if (name == "tf32" && !device.is_cuda()) {
    throw worker::unsupported(
        "TF32 is a format of NVIDIA tensor cores: this CPU would compute plain fp32 under that name",
        "set training.precision to fp32, or run on a GPU");
  }
  autocast_ = name == "bf16-autocast";
  worker::allow_tf32(name == "tf32");
}

base::Json Precision::description() const {
  const std::string products = autocast_ ? "bfloat16" : name_ == "tf32" ? "tf32" : "float32";
  base::Json dtypes{{"parameters", "float32"},
                    {"gradients", "float32"},
                    {"optimiser_state", "float32"},
                    {"matrix_products", products},
                    {"attention", products},
                    {"normalisation", "float32"},
                    {"residual_stream", "float32"},
                    {"rotary", autocast_ ? "bfloat16" : "float32"},
                    {"mlp_activation", autocast_ ? "bfloat16" : "float32"},
                    {"loss", "float32"}};
  if (device_.is_cuda()) {
    dtypes["reduced_precision_sums"] = autocast_;  // ATen's default for bfloat16 products of cuBLAS
  }
  return dtypes;
}

AutocastScope::AutocastScope(const Precision& precision, const at::Device& device)
    : active_(precision.autocast()), device_type_(device.type()) {
  if (active_) {
    at::autocast::set_autocast_dtype(device_type_, at::kBFloat16);
    at::autocast::set_autocast_enabled(device_type_, true);
    at::autocast::increment_nesting();
  }
}

AutocastScope::~AutocastScope() {
  if (active_) {
    if (at::autocast::decrement_nesting() == 0) {
      at::autocast::clear_cache();
    }
    at::autocast::set_autocast_enabled(device_type_, false);
  }
}

}  // namespace etalon::precision
