// SPDX-License-Identifier: Apache-2.0
// Low-rank adapters beside frozen linear layers, under PEFT's names: y = base(x) + (alpha / rank) · (x Aᵀ) Bᵀ.
#pragma once

#include <cstdint>
#include <memory>

#include "worker/methods/method.h"

namespace etalon::methods {

/// How the frozen linear layers are kept.
class FrozenBase {
 public:
  virtual ~FrozenBase() = default;
  /// `weight` has its first values, in float32 (or double, when that is compared) on the host.
  virtual models::LinearPtr keep(const at::Tensor& weight, const at::Tensor& bias) = 0;
  /// For the dossier.
  virtual base::Json description() const = 0;
};

/// Trained parameters of adapters of this rank beside the layers named in lora.targets.
std::int64_t adapter_parameters(const models::LlamaConfig& config, const recipe::Lora& lora);

/// `name` is the method's.
std::unique_ptr<Method> make_adapters(const Request& request, const char* name, std::unique_ptr<FrozenBase> base);

}  // namespace etalon::methods
