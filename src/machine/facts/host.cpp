// SPDX-License-Identifier: Apache-2.0
// The host under a pseudonym, and how busy and how old its boot is when the run starts.
#include "base/number.h"
#include "base/text.h"
#include "machine/facts/catalog.h"
#include "machine/system_file.h"

namespace etalon::machine {
namespace {

Fact host_name(const CaptureOptions& options) {
  const std::string origin = "/proc/sys/kernel/hostname";
  const std::string meaning = options.identify ? "host name" : "host name, pseudonymised";
  const SystemText read = read_system_file(options.root, origin, 256);
  if (!read.ok()) return Fact::unreadable("host.name", meaning, origin, read.error_number);
  const std::string name(base::trim(read.text));
  return Fact::known("host.name", meaning, origin, options.identify ? name : pseudonym("host", name, options.root));
}

Fact first_number(const std::filesystem::path& root, const char* name, const char* meaning, const char* origin,
                  const char* unit) {
  const SystemText read = read_system_file(root, origin, 256);
  if (!read.ok()) return Fact::unreadable(name, meaning, origin, read.error_number);
  const std::string_view text = base::trim(read.text);
  const auto number = base::parse_double(text.substr(0, text.find(' ')));
  if (number) return Fact::known(name, meaning, origin, *number, unit);
  return Fact::missing(name, meaning, origin, FactState::unknown, "no number in it");
}

}  // namespace

std::vector<Fact> collect_host(const CaptureOptions& options) {
  return {host_name(options),
          first_number(options.root, "host.load", "load average of the last minute at the start", "/proc/loadavg", ""),
          first_number(options.root, "host.uptime", "time since the machine booted", "/proc/uptime", "s")};
}

}  // namespace etalon::machine
