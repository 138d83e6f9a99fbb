// SPDX-License-Identifier: Apache-2.0
// The families of workloads. A new one is one file with make_<name> and models_of_<name>, and one word in this list.
#pragma once

#include <span>
#include <string_view>

#include "worker/workloads/workload.h"

#define WORKLOADS(entry) entry(llm)

namespace etalon::workloads {

#define ETALON_DECLARE_WORKLOAD(name)                            \
  std::unique_ptr<Workload> make_##name(const Setting& setting); \
  std::vector<ModelDescription> models_of_##name();
WORKLOADS(ETALON_DECLARE_WORKLOAD)
#undef ETALON_DECLARE_WORKLOAD

struct Family {
  std::string_view name;
  std::unique_ptr<Workload> (*make)(const Setting& setting);
  std::vector<ModelDescription> (*models)();
};
std::span<const Family> families();

/// Builds the workload of the setting's recipe; throws worker::Failure for an unknown family.
std::unique_ptr<Workload> make_workload(const Setting& setting);

}  // namespace etalon::workloads
