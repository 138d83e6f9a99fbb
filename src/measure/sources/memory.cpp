// SPDX-License-Identifier: Apache-2.0
// Host memory from /proc/meminfo.
#include <cerrno>
#include <utility>

#include "machine/meminfo.h"
#include "machine/system_file.h"
#include "measure/sources/catalog.h"
#include "measure/sources/channel.h"

namespace etalon::measure {
namespace {

constexpr const char* file = "/proc/meminfo";

std::optional<double> difference(std::string_view text, const char* whole, const char* part) {
  const auto all = machine::meminfo_bytes(text, whole);
  const auto rest = machine::meminfo_bytes(text, part);
  if (!all || !rest || *rest > *all) return std::nullopt;
  return static_cast<double>(*all - *rest);
}

class Memory : public Source {
 public:
  explicit Memory(const SourceOptions& options) : root_(options.root) {
    const machine::SystemText read = machine::read_system_file(root_, file, 16 * 1024);
    error_number_ = read.error_number;
    if (read.ok() && !machine::meminfo_bytes(read.text, "MemTotal")) error_number_ = EINVAL;
  }

  std::vector<Channel> channels() const override {
    const auto channel = [&](const char* name, const char* meaning) {
      return error_number_ == 0 ? readable_channel(name, "bytes", meaning, "memory")
                                : unreadable_channel(name, "bytes", meaning, "memory", file, error_number_);
    };
    return {shown_live(channel("memory_used_bytes", "host memory that is not available to new work"), "memory"),
            channel("memory_available_bytes", "host memory available to new work without swapping"),
            channel("swap_used_bytes", "swap space in use")};
  }

  std::vector<std::optional<double>> sample() override {
    if (error_number_ != 0) return {};
    const std::string text = machine::read_system_file(root_, file, 16 * 1024).text;
    const auto available = machine::meminfo_bytes(text, "MemAvailable");
    return {difference(text, "MemTotal", "MemAvailable"),
            available ? std::optional(static_cast<double>(*available)) : std::nullopt,
            difference(text, "SwapTotal", "SwapFree")};
  }

 private:
  std::filesystem::path root_;
  int error_number_ = 0;
};

}  // namespace

std::unique_ptr<Source> make_memory(const SourceOptions& options) { return std::make_unique<Memory>(options); }

}  // namespace etalon::measure
