// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace etalon::base {

namespace {

constexpr std::size_t buffer_limit = 256 * 1024;

std::size_t write_some(int descriptor, std::string_view text) {
  while (true) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) return 0;
  }
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) throw system_error("read", path.string(), errno, ExitCode::usage);
  struct stat status {};
  std::string text;
  std::string problem;
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) problem = "it is not a regular file";
  std::string block(64 * 1024, '\0');
  ssize_t count = 1;
  while (problem.empty() && (count = ::read(descriptor, block.data(), block.size())) > 0) {
    text.append(block, 0, static_cast<std::size_t>(count));
    if (text.size() > max_bytes)
      problem = fmt::format("it is larger than {}", human_bytes(static_cast<double>(max_bytes)));
  }
  if (count < 0) problem = system_error("read", path.string(), errno).what();
  ::close(descriptor);
  if (!problem.empty()) throw Error(ExitCode::usage, fmt::format("cannot read {}: {}", path.string(), problem));
  return text;
}

void replace_file(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path temporary = path.string() + fmt::format(".{}.tmp", ::getpid());
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  try {
    AppendFile file(temporary);
    file.append(text);
    file.sync();
    file.close();
    if (::rename(temporary.c_str(), path.c_str()) != 0) throw system_error("write", path.string(), errno);
  } catch (...) {
    std::filesystem::remove(temporary, ignored);
    throw;
  }
  sync_folder(path.parent_path());
}

AppendFile::AppendFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw system_error("create", path_.string(), errno, ExitCode::refused);
}

AppendFile::~AppendFile() {
  if (descriptor_ < 0) return;
  write_some(descriptor_, buffer_);  // a destructor cannot report: who needs to know calls close()
  ::close(descriptor_);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      buffer_(std::exchange(other.buffer_, {})),
      bytes_(other.bytes_) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(buffer_, other.buffer_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void AppendFile::append(std::string_view text) {
  buffer_.append(text);
  bytes_ += text.size();
  if (buffer_.size() >= buffer_limit) flush();
}

void AppendFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    errno = 0;
    const std::size_t count = write_some(descriptor_, rest);
    rest.remove_prefix(count);
    if (count == 0 && !rest.empty()) {
      const int error_number = errno;
      buffer_.erase(0, buffer_.size() - rest.size());
      throw system_error("write", path_.string(), error_number);
    }
  }
  buffer_.clear();
}

void AppendFile::sync() {
  flush();
  if (::fsync(descriptor_) != 0 && errno != EINVAL) throw system_error("write", path_.string(), errno);
}

void AppendFile::close() {
  if (descriptor_ < 0) return;
  flush();
  if (::close(std::exchange(descriptor_, -1)) != 0) throw system_error("write", path_.string(), errno);
}

std::uint64_t free_bytes(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(path, error);
  while (!std::filesystem::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  struct statvfs status {};
  if (::statvfs(place.c_str(), &status) != 0) throw system_error("look at", place.string(), errno, ExitCode::refused);
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

}  // namespace etalon::base
