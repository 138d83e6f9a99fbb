// SPDX-License-Identifier: Apache-2.0
// mmap, read-only and private.
#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/error.h"

namespace etalon::base {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
    const int error_number = errno;
    if (descriptor >= 0) {
      ::close(descriptor);
    }
    throw system_error("read", path.string(), error_number, ExitCode::usage);
  }
  if (!S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw Error(ExitCode::usage, "cannot read " + path.string() + ": it is no regular file", "name a regular file");
  }
  size_ = static_cast<std::size_t>(status.st_size);
  address_ = size_ == 0 ? nullptr : ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  const int error_number = errno;
  ::close(descriptor);
  if (address_ == MAP_FAILED) {
    throw system_error("map", path.string(), error_number, ExitCode::usage);
  }
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : address_(std::exchange(other.address_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile::~MappedFile() {
  if (address_ != nullptr) {
    ::munmap(address_, size_);
  }
}

}  // namespace etalon::base
