// SPDX-License-Identifier: Apache-2.0
// The training methods. A new one is one file with make_<name>, and one word in this list.
#pragma once

#include <memory>
#include <string_view>

#include "worker/methods/method.h"

#define METHODS(entry) entry(full) entry(lora) entry(qlora)

namespace etalon::methods {

#define ETALON_DECLARE_METHOD(name) std::unique_ptr<Method> make_##name(const Request& request);
METHODS(ETALON_DECLARE_METHOD)
#undef ETALON_DECLARE_METHOD

/// Throws worker::Failure(unsupported) naming those there are.
std::unique_ptr<Method> make_method(const Request& request);

}  // namespace etalon::methods
