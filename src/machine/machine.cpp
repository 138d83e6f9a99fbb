// SPDX-License-Identifier: Apache-2.0
// All collectors asked in turn, and the few facts that the program itself decides by.
#include "machine/machine.h"

#include <algorithm>
#include <iterator>
#include <thread>

#include "machine/facts/catalog.h"

namespace etalon::machine {
namespace {

template <typename Value>
Value value_or(const Machine& machine, std::string_view name, Value otherwise) {
  const Fact* fact = machine.find(name);
  return fact != nullptr && fact->state == FactState::value ? fact->value.get<Value>() : otherwise;
}

}  // namespace

const Fact* Machine::find(std::string_view name) const {
  const auto found = std::find_if(facts.begin(), facts.end(), [&](const Fact& fact) { return fact.name == name; });
  return found == facts.end() ? nullptr : &*found;
}

Machine capture(const CaptureOptions& options) {
  Machine machine;
  machine.identified = options.identify;
  for (const Collector collect : collectors()) {
    std::vector<Fact> facts = collect(options);
    std::move(facts.begin(), facts.end(), std::back_inserter(machine.facts));
  }
  const auto hardware = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  machine.cpu_count = value_or(machine, "cpu.count", hardware);
  machine.memory_bytes = value_or(machine, "memory.total", std::uint64_t{0});
  const auto limit = value_or(machine, "memory.limit", machine.memory_bytes);
  machine.memory_bytes = machine.memory_bytes == 0 ? limit : std::min(machine.memory_bytes, limit);
  machine.nvidia_gpus = value_or(machine, "nvidia.gpus_visible", 0);
  machine.architecture = value_or(machine, "system.architecture", std::string());
  machine.wsl = value_or(machine, "system.wsl", false);
  return machine;
}

base::Json to_json(const Machine& machine) {
  base::Json facts = base::Json::array();
  for (const Fact& fact : machine.facts) facts.push_back(to_json(fact));
  return {{"facts", std::move(facts)}};
}

}  // namespace etalon::machine
