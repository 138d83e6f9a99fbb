// SPDX-License-Identifier: Apache-2.0
// Every collector of facts, in the order in which the dossier lists them. A new one is a file here that defines
// collect_<name>() and one entry below.
#pragma once

#include <span>
#include <vector>

#include "machine/machine.h"

namespace etalon::machine {

#define COLLECTORS(entry) entry(system) entry(cpu) entry(memory) entry(nvidia) entry(host) entry(environment)

#define DECLARE_COLLECTOR(name) std::vector<Fact> collect_##name(const CaptureOptions& options);
COLLECTORS(DECLARE_COLLECTOR)
#undef DECLARE_COLLECTOR

using Collector = std::vector<Fact> (*)(const CaptureOptions&);
std::span<const Collector> collectors();

}  // namespace etalon::machine
