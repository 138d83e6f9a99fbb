// SPDX-License-Identifier: Apache-2.0
// Pressure stall information: the kernel counts the microseconds in which some task waited for a resource. The difference
// of that counter is exact for each row, where its own averages lag ten seconds behind.
#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"
#include "machine/system_file.h"
#include "measure/sources/catalog.h"
#include "measure/sources/channel.h"

namespace etalon::measure {
namespace {

/// "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345" → 12345.
std::optional<std::int64_t> total_us(std::string_view text) {
  for (const std::string_view line : base::split(text, '\n')) {
    const std::size_t at = line.find(" total=");
    if (line.starts_with("some ") && at != std::string_view::npos)
      return base::parse_integer(base::trim(line.substr(at + 7)));
  }
  return std::nullopt;
}

struct Resource {
  const char* name;
  int error_number = 0;
  std::optional<std::int64_t> last_us = std::nullopt;

  std::string file() const { return fmt::format("/proc/pressure/{}", name); }
};

class Pressure : public Source {
 public:
  explicit Pressure(const SourceOptions& options) : options_(options), last_ns_(options.clock_ns()) {
    for (Resource& resource : resources_) {
      const machine::SystemText read = machine::read_system_file(options_.root, resource.file(), 1024);
      resource.error_number = read.error_number;
      resource.last_us = total_us(read.text);
      if (read.ok() && !resource.last_us) resource.error_number = EINVAL;
    }
  }

  std::vector<Channel> channels() const override {
    std::vector<Channel> channels;
    for (const Resource& resource : resources_) {
      const std::string name = fmt::format("pressure_{}_percent", resource.name);
      const std::string meaning = fmt::format("time since the row before in which a task waited for {}", resource.name);
      channels.push_back(resource.error_number == 0 ? readable_channel(name, "percent", meaning, "pressure")
                                                    : unreadable_channel(name, "percent", meaning, "pressure",
                                                                         resource.file(), resource.error_number));
    }
    return channels;
  }

  std::vector<std::optional<double>> sample() override {
    const std::int64_t now_ns = options_.clock_ns();
    const auto elapsed_us = static_cast<double>(now_ns - std::exchange(last_ns_, now_ns)) / 1000;
    std::vector<std::optional<double>> cells;
    for (Resource& resource : resources_) {
      if (resource.error_number != 0) continue;
      const auto now_us = total_us(machine::read_system_file(options_.root, resource.file(), 1024).text);
      const auto before_us = std::exchange(resource.last_us, now_us);
      if (!now_us || !before_us || *now_us < *before_us || !(elapsed_us > 0)) {
        cells.emplace_back();
        continue;
      }
      // The kernel updates the counter a little later than the clock: a full wait may read as 101 %.
      cells.emplace_back(std::min(100.0, 100 * static_cast<double>(*now_us - *before_us) / elapsed_us));
    }
    return cells;
  }

 private:
  SourceOptions options_;
  std::int64_t last_ns_;
  std::array<Resource, 3> resources_{Resource{"cpu"}, Resource{"memory"}, Resource{"io"}};
};

}  // namespace

std::unique_ptr<Source> make_pressure(const SourceOptions& options) { return std::make_unique<Pressure>(options); }

}  // namespace etalon::measure
