// SPDX-License-Identifier: Apache-2.0
// Every telemetry source, in the order of its columns. A new one is a file here that defines make_<name>() and one entry
// below: its name and, for `etalon list sources`, what it tells.
#pragma once

#include <memory>

#include "measure/source.h"

namespace etalon::measure {

#define SOURCES(entry)                                                                    \
  entry(proc_stat, "share of CPU time in use, of the whole machine")                      \
      entry(cpu_clock, "clocks of the CPUs: mean and highest")                            \
          entry(memory, "host memory used and available, swap used")                      \
              entry(pressure, "share of time in which tasks waited for CPU, memory, I/O") \
                  entry(loadavg, "runnable tasks and the load average of a minute")       \
                      entry(thermal, "temperatures of the kernel's thermal zones")        \
                          entry(rapl, "energy counted by the processor packages (RAPL)")

#define DECLARE_SOURCE(name, meaning) std::unique_ptr<Source> make_##name(const SourceOptions& options);
SOURCES(DECLARE_SOURCE)
#undef DECLARE_SOURCE

}  // namespace etalon::measure
