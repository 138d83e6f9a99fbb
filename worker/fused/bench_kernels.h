// SPDX-License-Identifier: Apache-2.0
// What each kind of operation of a recipe's step takes by itself, beside the ceilings of the same minute.
#pragma once

#include <string>

#include "worker/workloads/workload.h"

namespace etalon::fused {

/// A table: calls, milliseconds, GB and TFLOP moved, rates, share of the copy bandwidth and of a large product's rate;
/// then the whole step against the sum of its parts. Throws worker::Failure for what the fused execution does not
/// serve.
std::string bench_kernels(const workloads::Setting& setting);

}  // namespace etalon::fused
