// SPDX-License-Identifier: Apache-2.0
// Finds the children of this process in /proc without allocating: the kernel's own list of children is not always compiled in.
#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

#include "launch/guard.h"

namespace etalon::launch {
namespace {

/// What getdents64 fills; glibc declares no such structure under this name everywhere.
struct DirectoryEntry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  std::uint8_t type;
  char name[1];
};

pid_t number_in(const char* text) {
  pid_t number = 0;
  if (*text < '0' || *text > '9') return 0;
  for (; *text >= '0' && *text <= '9'; ++text) number = number * 10 + (*text - '0');
  return number;
}

/// Parent of `name` (a process id in digits) from /proc/<name>/stat; 0 when it is gone.
pid_t parent_of(int proc, const char* name) {
  char path[64];
  const std::size_t length = std::strlen(name);
  if (length + sizeof "/stat" > sizeof path) return 0;
  std::memcpy(path, name, length);
  std::memcpy(path + length, "/stat", sizeof "/stat");
  const int file = ::openat(proc, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[512];
  const ssize_t size = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (size <= 0) return 0;
  text[size] = '\0';
  // "4711 (name, which may hold anything) S 4710 …": the last bracket ends the name.
  const char* bracket = std::strrchr(text, ')');
  return bracket == nullptr || std::strlen(bracket) < 5 ? 0 : number_in(bracket + 4);
}

}  // namespace

void for_each_child(void (*visit)(pid_t process, void* context), void* context) {
  const int proc = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) return;
  const pid_t self = ::getpid();
  alignas(DirectoryEntry) char block[8192];
  while (true) {
    const long size = ::syscall(SYS_getdents64, proc, block, sizeof block);
    if (size <= 0) break;
    for (long position = 0; position < size;) {
      char* start = block + position;
      std::uint16_t length = 0;
      std::memcpy(&length, start + offsetof(DirectoryEntry, length), sizeof length);
      const char* name = start + offsetof(DirectoryEntry, name);
      const pid_t process = number_in(name);
      if (process > 0 && parent_of(proc, name) == self) visit(process, context);
      position += length;
    }
  }
  ::close(proc);
}

}  // namespace etalon::launch
