// SPDX-License-Identifier: Apache-2.0
// CPU time of the whole machine from /proc/stat: in use, and taken away by the hypervisor ("steal"). Each reading covers the
// time since the one before.
#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/number.h"
#include "base/text.h"
#include "machine/system_file.h"
#include "measure/sources/catalog.h"
#include "measure/sources/channel.h"

namespace etalon::measure {
namespace {

constexpr const char* file = "/proc/stat";

struct Ticks {
  std::int64_t total = 0;
  std::int64_t idle = 0;  // idle and waiting for I/O
  std::int64_t stolen = 0;
};

/// "cpu  user nice system idle iowait irq softirq steal guest guest_nice": guest time is part of user already.
std::optional<Ticks> parse(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  if (!line.starts_with("cpu ")) return std::nullopt;
  std::array<std::int64_t, 8> fields{};
  std::size_t count = 0;
  for (const std::string_view word : base::split(line.substr(4), ' ')) {
    if (word.empty()) continue;
    const auto number = base::parse_integer(word);
    if (!number || *number < 0) return std::nullopt;
    fields[count++] = *number;
    if (count == fields.size()) break;
  }
  if (count < 4) return std::nullopt;
  Ticks ticks;
  for (const std::int64_t field : fields) ticks.total += field;
  ticks.idle = fields[3] + fields[4];
  ticks.stolen = fields[7];
  return ticks;
}

class ProcStat : public Source {
 public:
  explicit ProcStat(const SourceOptions& options) : root_(options.root) {
    const machine::SystemText read = machine::read_system_file(root_, file, 4096);
    error_number_ = read.error_number;
    last_ = parse(read.text);
    if (read.ok() && !last_) error_number_ = EINVAL;
  }

  std::vector<Channel> channels() const override {
    const auto channel = [&](const char* name, const char* meaning) {
      return error_number_ == 0 ? readable_channel(name, "percent", meaning, "proc_stat")
                                : unreadable_channel(name, "percent", meaning, "proc_stat", file, error_number_);
    };
    return {shown_live(channel("cpu_use_percent", "CPU time in use since the row before, of all CPUs"), "CPU"),
            channel("cpu_steal_percent", "CPU time that the hypervisor gave to others since the row before")};
  }

  std::vector<std::optional<double>> sample() override {
    if (error_number_ != 0) return {};
    const std::optional<Ticks> now = parse(machine::read_system_file(root_, file, 4096).text);
    const std::optional<Ticks> before = std::exchange(last_, now);
    if (!now || !before || now->total <= before->total) return {std::nullopt, std::nullopt};
    const auto total = static_cast<double>(now->total - before->total);
    const auto percent = [&](std::int64_t part) {
      return std::clamp(100 * static_cast<double>(part) / total, 0.0, 100.0);
    };
    return {100 - percent(now->idle - before->idle), percent(now->stolen - before->stolen)};
  }

 private:
  std::filesystem::path root_;
  int error_number_ = 0;
  std::optional<Ticks> last_;
};

}  // namespace

std::unique_ptr<Source> make_proc_stat(const SourceOptions& options) { return std::make_unique<ProcStat>(options); }

}  // namespace etalon::measure
