// SPDX-License-Identifier: Apache-2.0
// What number formats a step computes in: the recipe's word turned into ATen's switches, and said back for the dossier.
#pragma once

#include <ATen/ATen.h>

#include <string>

#include "base/json.h"

namespace etalon::precision {

class Precision {
 public:
  /// Sets the process's switches. Throws worker::Failure for a precision that this version or this device does not
  /// serve.
  Precision(const std::string& name, const at::Device& device);

  bool autocast() const { return autocast_; }
  /// dtype per class of operation, as really in force.
  base::Json description() const;

 private:
  std::string name_;
  at::Device device_;
  bool autocast_ = false;
};

/// While it lives, ATen casts matrix products to bfloat16; casts of weights are shared until it ends.
class AutocastScope {
 public:
  AutocastScope(const Precision& precision, const at::Device& device);
  ~AutocastScope();
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

 private:
  bool active_;
  at::DeviceType device_type_;
};

}  // namespace etalon::precision
