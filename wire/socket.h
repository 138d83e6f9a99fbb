// SPDX-License-Identifier: Apache-2.0
// Unix-domain stream sockets for the protocol: a listener with a private path, and owned descriptors.
#pragma once

#include <filesystem>
#include <utility>

namespace etalon::wire {

/// An owned file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void reset();

 private:
  int fd_ = -1;
};

/// Listens in a fresh directory of mode 0700 below `parent`; both are removed by the destructor.
class Listener {
 public:
  /// `parent`: $XDG_RUNTIME_DIR, else $TMPDIR, else /tmp is what callers pass; when the resulting path would exceed what a
  /// socket address holds (107 bytes), /tmp is used instead. Throws base::Error(refused) when no place will do.
  explicit Listener(const std::filesystem::path& parent);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int descriptor() const { return descriptor_.get(); }
  const std::filesystem::path& path() const { return path_; }
  /// A waiting connection, non-blocking and close-on-exec; empty when none waits or the peer is another user.
  Descriptor accept();

 private:
  std::filesystem::path folder_;
  std::filesystem::path path_;
  Descriptor descriptor_;
};

/// Connects to `path`; throws base::Error(usage) naming the path when it cannot.
Descriptor connect_to(const std::filesystem::path& path);

}  // namespace etalon::wire
