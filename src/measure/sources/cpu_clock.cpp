// SPDX-License-Identifier: Apache-2.0
// Clocks of the CPUs: from cpufreq where the kernel has it, else from /proc/cpuinfo, which is long and slow to make on large
// machines and therefore read once a second at most (the cells between are empty).
#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"
#include "machine/cpu_list.h"
#include "machine/system_file.h"
#include "measure/sources/catalog.h"
#include "measure/sources/channel.h"

namespace etalon::measure {
namespace {

constexpr std::size_t most_cpus_read =
    64;  // evenly spread on larger machines: a reading must stay far below a millisecond
constexpr std::int64_t cpuinfo_interval_ns = 950'000'000;

std::string clock_file(int cpu) { return fmt::format("/sys/devices/system/cpu/cpu{}/cpufreq/scaling_cur_freq", cpu); }

std::vector<double> clocks_of_cpuinfo(std::string_view text) {
  std::vector<double> megahertz;
  for (const std::string_view line : base::split(text, '\n')) {
    if (!line.starts_with("cpu MHz")) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const auto clock = base::parse_double(base::trim(line.substr(colon + 1)));
    if (clock && *clock > 0) megahertz.push_back(*clock);
  }
  return megahertz;
}

class CpuClock : public Source {
 public:
  explicit CpuClock(const SourceOptions& options) : options_(options) {
    choose_cpus();
    if (!cpus_.empty() && !read_cpufreq().empty()) return;
    cpus_.clear();
    const machine::SystemText read = machine::read_system_file(options_.root, "/proc/cpuinfo");
    error_number_ = read.error_number;
    if (read.ok() && clocks_of_cpuinfo(read.text).empty()) error_number_ = ENOENT;
  }

  std::vector<Channel> channels() const override {
    const std::string origin = cpus_.empty() ? "/proc/cpuinfo" : fmt::format("cpufreq, {} CPUs", cpus_.size());
    const auto channel = [&](const char* name, const char* which) {
      const std::string meaning = fmt::format("{} clock of the CPUs ({})", which, origin);
      return error_number_ == 0 ? readable_channel(name, "megahertz", meaning, "cpu_clock")
                                : unreadable_channel(name, "megahertz", meaning, "cpu_clock",
                                                     "cpufreq and /proc/cpuinfo", error_number_);
    };
    return {channel("cpu_clock_mean_megahertz", "mean"), channel("cpu_clock_highest_megahertz", "highest")};
  }

  std::vector<std::optional<double>> sample() override {
    if (error_number_ != 0) return {};
    const std::vector<double> clocks = cpus_.empty() ? read_cpuinfo() : read_cpufreq();
    if (clocks.empty()) return {std::nullopt, std::nullopt};
    double total = 0;
    for (const double clock : clocks) total += clock;
    return {total / static_cast<double>(clocks.size()), *std::max_element(clocks.begin(), clocks.end())};
  }

 private:
  void choose_cpus() {
    const auto online =
        machine::parse_cpu_list(machine::read_system_file(options_.root, "/sys/devices/system/cpu/online", 4096).text);
    if (!online) return;
    const std::size_t stride = (online->size() + most_cpus_read - 1) / most_cpus_read;
    for (std::size_t index = 0; index < online->size(); index += stride) cpus_.push_back((*online)[index]);
  }

  std::vector<double> read_cpufreq() const {
    std::vector<double> megahertz;
    for (const int cpu : cpus_) {
      const auto kilohertz = machine::read_system_integer(options_.root, clock_file(cpu));
      if (kilohertz && *kilohertz > 0) megahertz.push_back(static_cast<double>(*kilohertz) / 1000);
    }
    return megahertz;
  }

  std::vector<double> read_cpuinfo() {
    const std::int64_t now_ns = options_.clock_ns();
    if (last_cpuinfo_ns_ && now_ns - *last_cpuinfo_ns_ < cpuinfo_interval_ns) return {};
    last_cpuinfo_ns_ = now_ns;
    return clocks_of_cpuinfo(machine::read_system_file(options_.root, "/proc/cpuinfo").text);
  }

  SourceOptions options_;
  std::vector<int> cpus_;  // read through cpufreq; empty means /proc/cpuinfo
  int error_number_ = 0;
  std::optional<std::int64_t> last_cpuinfo_ns_;
};

}  // namespace

std::unique_ptr<Source> make_cpu_clock(const SourceOptions& options) { return std::make_unique<CpuClock>(options); }

}  // namespace etalon::measure
