// SPDX-License-Identifier: Apache-2.0
// Small files of /proc, /sys and /etc below an injectable root, read without exceptions: a failed read is an answer too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace etalon::machine {

struct SystemText {
  std::string text;
  int error_number = 0;  ///< 0 when the file was read
  bool ok() const { return error_number == 0; }
};

/// The file `name` ("/proc/stat") below `root`, at most `max_bytes` of it.
SystemText read_system_file(const std::filesystem::path& root, std::string_view name, std::size_t max_bytes = 1 << 20);

/// Its text as one integer, or nothing; `error_number` (when given) receives 0, the errno, or EINVAL for other text.
std::optional<std::int64_t> read_system_integer(const std::filesystem::path& root, std::string_view name,
                                                int* error_number = nullptr);

/// `root` and `name` joined: "/" is the plain name.
std::filesystem::path below(const std::filesystem::path& root, std::string_view name);

/// Value of the first line "key: value" or "key=value" (blanks around both removed), or nothing.
std::optional<std::string> value_of_key(std::string_view text, std::string_view key, char separator);

}  // namespace etalon::machine
