// SPDX-License-Identifier: Apache-2.0
// The table of the formats.
#include "worker/precision/precision.h"

#include <ATen/autocast_mode.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text.h"
#include "worker/failure.h"
#include "worker/libtorch_version.h"
#include "worker/precision/fp8_linear.h"

namespace etalon::precision {
namespace {

constexpr std::array formats{
    Format{.name = "fp32", .products = "float32"},
    Format{.name = "tf32", .products = "tf32", .tf32 = true},
    Format{.name = "bf16-autocast", .autocast = at::kBFloat16, .products = "bfloat16"},
    Format{.name = "fp16-autocast", .autocast = at::kHalf, .products = "float16", .scales_loss = true},
    Format{.name = "bf16", .parameters = at::kBFloat16, .products = "bfloat16", .rounds_stochastically = true},
    Format{.name = "fp8",
           .autocast = at::kBFloat16,
           .products = "float8_e4m3fn, one scale per tensor; bfloat16 in the first and last layer and the output head",
           .fp8_products = true}};

const Format& find_format(const std::string& name) {
  if (name == "fp4") {
    throw worker::unsupported(
        "training in FP4 is not served: LibTorch has no FP4 product with gradients, and training "
        "diverges without the rotations and roundings that research still varies",
        "set training.precision to fp8, or train adapters over 4-bit weights with "
        "training.method = \"qlora\"");
  }
  const auto found =
      std::find_if(formats.begin(), formats.end(), [&](const Format& format) { return format.name == name; });
  if (found == formats.end()) {
    std::vector<std::string> names;
    for (const Format& format : formats) {
      names.emplace_back(format.name);
    }
    throw worker::unsupported("precision \"" + name + "\" is not served by the native worker",
                              "set training.precision to one of: " + base::join(names, ", "));
  }
  return *found;
}

/// The name that PyTorch prints.
std::string type_name(at::ScalarType type) {
  return type == at::kBFloat16 ? "bfloat16"
         : type == at::kHalf   ? "float16"
         : type == at::kDouble ? "float64"
                               : "float32";
}

}  // namespace

Precision::Precision(const std::string& name, const at::Device& device) : format_(find_format(name)), device_(device) {
  if (format_.tf32 && !device.is_cuda()) {
    throw worker::unsupported(
        "TF32 is a format of NVIDIA tensor cores: this CPU would compute plain fp32 under that name",
        "set training.precision to fp32, or run on a GPU");
  }
  if (format_.fp8_products) {
    require_fp8(device);
  }
  worker::allow_tf32(format_.tf32);
}

at::ScalarType Precision::parameter_type(at::ScalarType asked_for) const {
  return format_.parameters == at::kFloat ? asked_for : format_.parameters;
}

models::LinearPtr Precision::linear(const models::LinearPlace& place, at::Tensor weight, at::Tensor bias) const {
  if (format_.fp8_products && place.layers < 3) {
    throw worker::unsupported("FP8 leaves the first and the last layer in bfloat16, and this model has no other",
                              "set training.precision to bf16-autocast");
  }
  const bool outermost = place.layer == 0 || place.layer == place.layers - 1;
  if (format_.fp8_products && !outermost) {
    return make_fp8_linear(place, std::move(weight), std::move(bias));
  }
  return std::make_shared<models::DenseLinear>(std::move(weight), std::move(bias));
}

base::Json Precision::description() const {
  const std::string kept = type_name(format_.parameters);
  const std::string narrowed = type_name(format_.autocast.value_or(format_.parameters));
  const std::string outside = format_.tf32 ? std::string(format_.products) : narrowed;
  base::Json dtypes{{"parameters", kept},         {"gradients", kept},
                    {"optimiser_state", kept},    {"matrix_products", std::string(format_.products)},
                    {"attention", outside},       {"normalisation", "float32"},
                    {"residual_stream", kept},    {"rotary", narrowed},
                    {"mlp_activation", narrowed}, {"loss", "float32"}};
  if (device_.is_cuda()) {
    dtypes["reduced_precision_sums"] = narrowed != "float32";  // ATen's default for 16-bit products of cuBLAS
  }
  if (format_.rounds_stochastically) {
    dtypes["rounding_of_updates"] = "stochastic, by counters: unbiased, and repeatable by training.seed";
  }
  if (format_.scales_loss) {
    dtypes["loss_scale"] = "from 65536; halved by an overflow, doubled after 2000 clean steps";
  }
  if (format_.fp8_products && !device_.is_cuda()) {
    dtypes["emulated"] = "FP8 operands are multiplied in float32 on this CPU";
  }
  return dtypes;
}

AutocastScope::AutocastScope(const Precision& precision, const at::Device& device)
    : active_(precision.format().autocast.has_value()), device_type_(device.type()) {
  if (active_) {
    at::autocast::set_autocast_dtype(device_type_, *precision.format().autocast);
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
