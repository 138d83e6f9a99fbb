// SPDX-License-Identifier: Apache-2.0
// A file's bytes in memory without reading them first.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace etalon::base {

class MappedFile {
 public:
  /// Throws Error(usage) when the file cannot be opened, is no regular file, or cannot be mapped.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(address_), size_}; }

 private:
  void* address_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace etalon::base
