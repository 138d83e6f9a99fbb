// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace etalon::base {

namespace {

const char* advice_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free some space there, or choose another place";
    case EACCES:
    case EPERM:
      return "check the permissions, or choose another place";
    case EROFS:
      return "the file system is read-only: choose another place";
    case ENOENT:
      return "check the spelling of the path";
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n)";
    case ENAMETOOLONG:
      return "choose a shorter path";
    default:
      return "";
  }
}

}  // namespace

Error::Error(ExitCode code, const std::string& what_happened, std::string next_step)
    : std::runtime_error(what_happened), code_(code), next_step_(std::move(next_step)) {}

Error system_error(const std::string& action, const std::string& path, int error_number, ExitCode code) {
  return Error(code, fmt::format("cannot {} {}: {}", action, path, std::strerror(error_number)),
               advice_for(error_number));
}

}  // namespace etalon::base
