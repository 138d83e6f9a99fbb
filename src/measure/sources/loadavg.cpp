// SPDX-License-Identifier: Apache-2.0
// /proc/loadavg: "0.42 0.30 0.21 3/512 12345". More runnable tasks than the worker's threads means that others compete.
#include <cerrno>
#include <utility>

#include "base/number.h"
#include "base/text.h"
#include "machine/system_file.h"
#include "measure/sources/catalog.h"
#include "measure/sources/channel.h"

namespace etalon::measure {
namespace {

constexpr const char* file = "/proc/loadavg";

std::vector<std::optional<double>> parse(std::string_view text) {
  const auto fields = base::split(base::trim(text), ' ');
  if (fields.size() < 4) return {std::nullopt, std::nullopt};
  return {base::parse_double(fields[0]), base::parse_double(fields[3].substr(0, fields[3].find('/')))};
}

class LoadAverage : public Source {
 public:
  explicit LoadAverage(const SourceOptions& options) : root_(options.root) {
    const machine::SystemText read = machine::read_system_file(root_, file, 256);
    error_number_ = read.error_number;
    if (read.ok() && !parse(read.text)[0]) error_number_ = EINVAL;
  }

  std::vector<Channel> channels() const override {
    const auto channel = [&](const char* name, const char* meaning) {
      return error_number_ == 0 ? readable_channel(name, "tasks", meaning, "loadavg")
                                : unreadable_channel(name, "tasks", meaning, "loadavg", file, error_number_);
    };
    return {channel("load_average_tasks", "tasks running or waiting, averaged over a minute"),
            channel("runnable_tasks", "tasks running or ready to run at this moment")};
  }

  std::vector<std::optional<double>> sample() override {
    if (error_number_ != 0) return {};
    return parse(machine::read_system_file(root_, file, 256).text);
  }

 private:
  std::filesystem::path root_;
  int error_number_ = 0;
};

}  // namespace

std::unique_ptr<Source> make_loadavg(const SourceOptions& options) { return std::make_unique<LoadAverage>(options); }

}  // namespace etalon::measure
