// SPDX-License-Identifier: Apache-2.0
// Energy counters of the processor packages (and their DRAM) that the kernel offers through powercap. They wrap after minutes
// to hours, so each column is the energy since the run's first row, wraps taken out.
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "machine/system_file.h"
#include "measure/sources/catalog.h"
#include "measure/sources/channel.h"
#include "measure/sources/folder.h"

namespace etalon::measure {
namespace {

constexpr const char* folder = "/sys/class/powercap";

struct Counter {
  std::string file;
  Channel channel;
  std::int64_t range_uj = 0;
  std::optional<std::int64_t> last_uj;
  double total_uj = 0;
};

class Rapl : public Source {
 public:
  explicit Rapl(const SourceOptions& options) : root_(options.root) {
    // Not "intel-rapl-mmio:", which counts the same package a second time.
    const FolderListing listing = list_folder(root_, folder, "intel-rapl:");
    std::set<std::string> names;
    for (const std::string& zone : listing.names) describe(zone, names);
    if (!counters_.empty()) return;
    const std::string reason =
        listing.error_number != 0 ? machine::words_of_errno(listing.error_number) : "no RAPL counters in it";
    const machine::FactState state =
        listing.error_number != 0 ? machine::state_of_errno(listing.error_number) : machine::FactState::not_supported;
    counters_.push_back({{},
                         missing_channel("rapl_package_0_microjoules", "microjoules", "energy of processor package 0",
                                         "rapl", state, fmt::format("{}: {}", folder, reason)),
                         0,
                         {},
                         0});
  }

  std::vector<Channel> channels() const override {
    std::vector<Channel> channels;
    for (const Counter& counter : counters_) channels.push_back(counter.channel);
    return channels;
  }

  std::vector<std::optional<double>> sample() override {
    std::vector<std::optional<double>> cells;
    for (Counter& counter : counters_) {
      if (counter.channel.state == "value") cells.push_back(advance(counter));
    }
    return cells;
  }

 private:
  /// A failed reading loses nothing: the next one counts from the last that worked.
  std::optional<double> advance(Counter& counter) const {
    const auto now_uj = machine::read_system_integer(root_, counter.file);
    if (!now_uj || *now_uj < 0 || *now_uj > counter.range_uj) return std::nullopt;
    if (counter.last_uj) {
      std::int64_t step_uj = *now_uj - *counter.last_uj;
      if (step_uj < 0) step_uj += counter.range_uj;
      counter.total_uj += static_cast<double>(step_uj);
    }
    counter.last_uj = now_uj;
    return counter.total_uj;
  }

  void describe(const std::string& zone, std::set<std::string>& names) {
    const std::string place = fmt::format("{}/{}", folder, zone);
    std::string title(base::trim(machine::read_system_file(root_, place + "/name", 256).text));
    const bool package_level = zone.find(':') == zone.rfind(':');
    // Cores and graphics are parts of their package, counted there already; DRAM is not.
    if (!package_level && title != "dram") return;
    if (!package_level) title += "_" + zone.substr(zone.find(':') + 1, zone.rfind(':') - zone.find(':') - 1);
    std::string part = column_name_part(title);
    for (int number = 2; !names.insert(part).second; ++number)
      part = fmt::format("{}_{}", column_name_part(title), number);
    Counter counter;
    counter.file = place + "/energy_uj";
    const std::string name = fmt::format("rapl_{}_microjoules", part);
    const std::string meaning = fmt::format("energy of {} since the first row", base::printable(title, 60));
    int error_number = 0;
    machine::read_system_integer(root_, counter.file, &error_number);
    std::string refused_file = counter.file;
    if (error_number == 0) {
      refused_file = place + "/max_energy_range_uj";
      counter.range_uj = machine::read_system_integer(root_, refused_file, &error_number).value_or(0);
    }
    counter.channel = error_number == 0
                          ? shown_live(readable_channel(name, "microjoules", meaning, "rapl"), "CPU power")
                          : unreadable_channel(name, "microjoules", meaning, "rapl", refused_file, error_number);
    counters_.push_back(std::move(counter));
  }

  std::filesystem::path root_;
  std::vector<Counter> counters_;
};

}  // namespace

std::unique_ptr<Source> make_rapl(const SourceOptions& options) { return std::make_unique<Rapl>(options); }

}  // namespace etalon::measure
