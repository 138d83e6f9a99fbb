// SPDX-License-Identifier: Apache-2.0
// Reads a file of lines in constant memory; knows whether the last one was finished.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

namespace etalon::dossier {

class LineReader {
 public:
  /// Throws base::Error(verification_failed) when the file cannot be read.
  LineReader(const std::filesystem::path& path, std::size_t max_line_bytes);

  /// The next whole line without its newline; false at the end. Throws base::Error(verification_failed) naming file and
  /// line when a line is longer than allowed.
  bool next(std::string& line);
  std::size_t line_number() const { return line_number_; }
  /// After next() returned false: the file ended in the middle of a line.
  bool torn() const { return torn_; }

 private:
  std::filesystem::path path_;
  std::size_t max_line_bytes_;
  std::ifstream stream_;
  std::string block_;
  std::size_t position_ = 0;
  std::size_t line_number_ = 0;
  bool torn_ = false;
};

}  // namespace etalon::dossier
