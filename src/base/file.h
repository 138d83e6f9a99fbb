// SPDX-License-Identifier: Apache-2.0
// Files that survive what happens to machines: bounded reads, appends that say when the disk is full, atomic replacement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace etalon::base {

/// The whole file. Throws Error(usage) when it is missing, unreadable, not a regular file or larger than `max_bytes`.
std::string read_file(const std::filesystem::path& path, std::size_t max_bytes = std::size_t{1} << 30);

/// Writes to a temporary neighbour, syncs, and renames over `path`: readers see the old or the new text, never half.
void replace_file(const std::filesystem::path& path, std::string_view text);

/// An append-only file, buffered by us so that a line is never split between two writes that fail differently.
class AppendFile {
 public:
  AppendFile() = default;
  /// Creates the file; throws Error when it exists already or cannot be made.
  explicit AppendFile(std::filesystem::path path);
  ~AppendFile();
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  /// Buffers; writes out when the buffer is large. Throws Error (disk full, …); what was written before stays whole lines.
  void append(std::string_view text);
  /// Hands all buffered text to the kernel.
  void flush();
  /// flush(), then fsync.
  void sync();
  void close();
  bool is_open() const { return descriptor_ >= 0; }
  std::uint64_t bytes() const { return bytes_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::string buffer_;
  std::uint64_t bytes_ = 0;
};

/// Bytes free to this user on the file system of `path` (of its nearest existing parent).
std::uint64_t free_bytes(const std::filesystem::path& path);

}  // namespace etalon::base
