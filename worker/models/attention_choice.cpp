// SPDX-License-Identifier: Apache-2.0
// ATen's switches for attention, and its answer for a shape.
#include "worker/models/attention_choice.h"

#include <ATen/SDPBackend.h>

#include "worker/failure.h"

namespace etalon::models {
namespace {

std::string backend_name(std::int64_t backend) {
  switch (static_cast<at::SDPBackend>(backend)) {
    case at::SDPBackend::flash_attention:
      return "flash";
    case at::SDPBackend::efficient_attention:
      return "efficient";
    case at::SDPBackend::cudnn_attention:
      return "cudnn";
    case at::SDPBackend::math:
      return "math";
    default:
      return "other (" + std::to_string(backend) + ")";
  }
}

}  // namespace

AttentionChoice choose_attention(const std::string& wanted) {
  if (wanted != "auto" && wanted != "math") {
    throw worker::unsupported("training.attention = \"" + wanted + "\" is not served by the native worker yet",
                              "set training.attention to auto or math");
  }
  at::Context& context = at::globalContext();
  context.setSDPUseFlash(wanted == "auto");
  context.setSDPUseMemEfficient(wanted == "auto");
  context.setSDPUseCuDNN(wanted == "auto");
  context.setSDPUseMath(true);
  return {wanted};
}

base::Json describe_attention(const AttentionChoice& choice, const LlamaConfig& config, std::int64_t batch,
                              std::int64_t context, const at::Device& device, at::ScalarType dtype) {
  const auto options = at::TensorOptions(dtype).device(device);
  const auto heads = [&](std::int64_t count) {
    return at::empty({batch, context, count, config.head_width()}, options).transpose(1, 2).requires_grad_();
  };
  const bool grouped = config.heads != config.key_value_heads;
  const std::int64_t backend =
      at::_fused_sdp_choice(heads(config.heads), heads(config.key_value_heads), heads(config.key_value_heads), {}, 0.0,
                            /*is_causal=*/true, {}, grouped);
  return {{"allowed", choice.allowed}, {"backend", backend_name(backend)}, {"chosen_by", "ATen"}};
}

}  // namespace etalon::models
