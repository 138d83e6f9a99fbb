// SPDX-License-Identifier: Apache-2.0
// A telemetry source: says which channels it has on this machine, then samples them. One file per source in sources/.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "measure/recording.h"

namespace etalon::measure {

class Source {
 public:
  virtual ~Source() = default;
  /// All channels, also those that this machine does not offer (with the reason).
  virtual std::vector<Channel> channels() const = 0;
  /// One cell per channel with state "value", in that order; an empty one when this reading failed. Never throws, never blocks long.
  virtual std::vector<std::optional<double>> sample() = 0;
};

struct SourceOptions {
  std::filesystem::path root = "/";                             ///< tests put a fake /proc and /sys elsewhere
  std::function<std::int64_t()> clock_ns = base::monotonic_ns;  ///< for what is a difference per time
};

/// Every source of the catalogue.
std::vector<std::unique_ptr<Source>> make_sources(const SourceOptions& options);
/// Their names with one phrase each, for `etalon list sources`.
std::vector<std::pair<std::string, std::string>> list_sources();

}  // namespace etalon::measure
