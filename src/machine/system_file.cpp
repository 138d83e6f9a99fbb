// SPDX-License-Identifier: Apache-2.0
// Reading of small system files, and of the two forms that most of them have.
#include "machine/system_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/number.h"
#include "base/text.h"

namespace etalon::machine {

std::filesystem::path below(const std::filesystem::path& root, std::string_view name) {
  while (name.starts_with('/')) name.remove_prefix(1);
  return root / std::filesystem::path(name);
}

SystemText read_system_file(const std::filesystem::path& root, std::string_view name, std::size_t max_bytes) {
  SystemText result;
  // O_NONBLOCK: a pipe in a fake or broken tree must not stop the caller.
  const int descriptor = ::open(below(root, name).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    result.error_number = errno;
    return result;
  }
  char block[4096];
  while (result.text.size() < max_bytes) {
    const ssize_t count = ::read(descriptor, block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) result.error_number = errno;
    if (count <= 0) break;
    result.text.append(block, static_cast<std::size_t>(count));
  }
  ::close(descriptor);
  if (result.text.size() > max_bytes) result.text.resize(max_bytes);
  return result;
}

std::optional<std::int64_t> read_system_integer(const std::filesystem::path& root, std::string_view name,
                                                int* error_number) {
  const SystemText read = read_system_file(root, name, 256);
  const std::optional<std::int64_t> number = read.ok() ? base::parse_integer(base::trim(read.text)) : std::nullopt;
  if (error_number != nullptr) *error_number = read.ok() && !number ? EINVAL : read.error_number;
  return number;
}

std::optional<std::string> value_of_key(std::string_view text, std::string_view key, char separator) {
  for (const std::string_view line : base::split(text, '\n')) {
    const std::size_t at = line.find(separator);
    if (at == std::string_view::npos || base::trim(line.substr(0, at)) != key) continue;
    return std::string(base::trim(line.substr(at + 1)));
  }
  return std::nullopt;
}

}  // namespace etalon::machine
