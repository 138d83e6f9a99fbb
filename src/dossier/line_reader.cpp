// SPDX-License-Identifier: Apache-2.0
#include "dossier/line_reader.h"

#include <fmt/format.h>

#include "base/error.h"

namespace etalon::dossier {

namespace {

constexpr std::size_t block_bytes = 64 * 1024;

}  // namespace

LineReader::LineReader(const std::filesystem::path& path, std::size_t max_line_bytes)
    : path_(path), max_line_bytes_(max_line_bytes), stream_(path, std::ios::binary) {
  if (!stream_) throw base::Error(base::ExitCode::verification_failed, fmt::format("{} cannot be read", path.string()));
}

bool LineReader::next(std::string& line) {
  line.clear();
  while (true) {
    const std::size_t newline = block_.find('\n', position_);
    line.append(block_, position_, newline == std::string::npos ? std::string::npos : newline - position_);
    if (line.size() > max_line_bytes_)
      throw base::Error(
          base::ExitCode::verification_failed,
          fmt::format("{}:{}: the line is longer than {} bytes", path_.string(), line_number_ + 1, max_line_bytes_));
    if (newline != std::string::npos) {
      position_ = newline + 1;
      ++line_number_;
      return true;
    }
    block_.resize(block_bytes);
    stream_.read(block_.data(), static_cast<std::streamsize>(block_bytes));
    block_.resize(static_cast<std::size_t>(stream_.gcount()));
    position_ = 0;
    if (block_.empty()) {
      torn_ = !line.empty();
      return false;
    }
  }
}

}  // namespace etalon::dossier
