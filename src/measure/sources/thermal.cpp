// SPDX-License-Identifier: Apache-2.0
// Temperatures of the kernel's thermal zones, each under the name of its type.
#include <cerrno>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "machine/system_file.h"
#include "measure/sources/catalog.h"
#include "measure/sources/channel.h"
#include "measure/sources/folder.h"

namespace etalon::measure {
namespace {

constexpr const char* folder = "/sys/class/thermal";

struct Zone {
  std::string file;
  Channel channel;
};

class Thermal : public Source {
 public:
  explicit Thermal(const SourceOptions& options) : root_(options.root) {
    const FolderListing listing = list_folder(root_, folder, "thermal_zone");
    std::set<std::string> names;
    for (const std::string& zone : listing.names) zones_.push_back(describe(zone, names));
    if (!zones_.empty()) return;
    Channel none =
        listing.error_number != 0
            ? unreadable_channel("temperature_celsius", "celsius", "temperature of a thermal zone", "thermal", folder,
                                 listing.error_number)
            : missing_channel("temperature_celsius", "celsius", "temperature of a thermal zone", "thermal",
                              machine::FactState::not_supported, fmt::format("{} has no thermal zones", folder));
    zones_.push_back({{}, std::move(none)});
  }

  std::vector<Channel> channels() const override {
    std::vector<Channel> channels;
    for (const Zone& zone : zones_) channels.push_back(zone.channel);
    return channels;
  }

  std::vector<std::optional<double>> sample() override {
    std::vector<std::optional<double>> cells;
    for (const Zone& zone : zones_) {
      if (zone.channel.state != "value") continue;
      const auto millidegrees = machine::read_system_integer(root_, zone.file);
      cells.push_back(millidegrees ? std::optional(static_cast<double>(*millidegrees) / 1000) : std::nullopt);
    }
    return cells;
  }

 private:
  Zone describe(const std::string& zone, std::set<std::string>& names) const {
    const std::string type(
        base::trim(machine::read_system_file(root_, fmt::format("{}/{}/type", folder, zone), 256).text));
    std::string part = column_name_part(type);
    for (int number = 2; !names.insert(part).second; ++number)
      part = fmt::format("{}_{}", column_name_part(type), number);
    const std::string file = fmt::format("{}/{}/temp", folder, zone);
    const std::string name = fmt::format("temperature_{}_celsius", part);
    const std::string meaning =
        fmt::format("temperature of {} ({})", zone, type.empty() ? "no type" : base::printable(type, 60));
    int error_number = 0;
    machine::read_system_integer(root_, file, &error_number);
    // Some zones (wireless cards, discs asleep) only answer at times: an odd answer now is no reason to do without them.
    const bool silent_now = error_number == EAGAIN || error_number == ENODATA;
    if (error_number == 0 || silent_now)
      return {file, shown_live(readable_channel(name, "celsius", meaning, "thermal"), "hottest sensor")};
    return {file, unreadable_channel(name, "celsius", meaning, "thermal", file, error_number)};
  }

  std::filesystem::path root_;
  std::vector<Zone> zones_;
};

}  // namespace

std::unique_ptr<Source> make_thermal(const SourceOptions& options) { return std::make_unique<Thermal>(options); }

}  // namespace etalon::measure
