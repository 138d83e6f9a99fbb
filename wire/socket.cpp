// SPDX-License-Identifier: Apache-2.0
// The listener keeps its socket in a folder of its own that only this user may enter, and turns other users' connections away.
#include "wire/socket.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "base/error.h"

namespace etalon::wire {
namespace {

constexpr const char* socket_name = "worker.sock";
constexpr int waiting_connections = 64;

sockaddr_un address_of(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.native().copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

bool fits_an_address(const std::filesystem::path& path) { return path.native().size() < sizeof(sockaddr_un::sun_path); }

/// A fresh folder of mode 0700 below `parent`; empty when it cannot be made there.
std::filesystem::path fresh_folder(const std::filesystem::path& parent) {
  std::string pattern = (parent / "etalon-XXXXXX").native();
  return ::mkdtemp(pattern.data()) == nullptr ? std::filesystem::path() : std::filesystem::path(pattern);
}

void remove_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::remove(folder / socket_name, ignored);
  std::filesystem::remove(folder, ignored);
}

/// A listening socket at `path`, or nothing, with errno saying why.
Descriptor listen_at(const std::filesystem::path& path) {
  Descriptor descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const sockaddr_un address = address_of(path);
  if (!descriptor || ::bind(descriptor.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(descriptor.get(), waiting_connections) != 0) {
    const int error_number = errno;
    descriptor.reset();
    errno = error_number;
  }
  return descriptor;
}

bool is_same_user(int connection) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void Descriptor::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Listener::Listener(const std::filesystem::path& parent) {
  int error_number = ENAMETOOLONG;
  for (const std::filesystem::path& place : {parent, std::filesystem::path("/tmp")}) {
    if (!fits_an_address(place / "etalon-XXXXXX" / socket_name)) continue;
    folder_ = fresh_folder(place);
    error_number = errno;
    if (folder_.empty()) continue;
    path_ = folder_ / socket_name;
    descriptor_ = listen_at(path_);
    error_number = errno;
    if (descriptor_) return;
    remove_folder(folder_);
  }
  throw base::Error(base::ExitCode::refused,
                    fmt::format("cannot make a socket for the worker in {} or in /tmp: {}", parent.string(),
                                std::strerror(error_number)),
                    "set TMPDIR to a writable folder with a short path on a local file system");
}

Listener::~Listener() { remove_folder(folder_); }

Descriptor Listener::accept() {
  Descriptor connection(::accept4(descriptor_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (connection && !is_same_user(connection.get())) connection.reset();
  return connection;
}

Descriptor connect_to(const std::filesystem::path& path) {
  const auto refuse = [&path](const std::string& why) {
    return base::Error(base::ExitCode::usage,
                       fmt::format("cannot connect to the controller's socket {}: {}", path.string(), why),
                       "start the worker through `etalon run`, which sets ETALON_SOCKET");
  };
  if (!fits_an_address(path)) throw refuse("the path is longer than a socket address holds");
  Descriptor descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_un address = address_of(path);
  if (!descriptor || ::connect(descriptor.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw refuse(std::strerror(errno));
  }
  return descriptor;
}

}  // namespace etalon::wire
