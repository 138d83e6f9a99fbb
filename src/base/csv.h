// SPDX-License-Identifier: Apache-2.0
// The raw series on disk: comma-separated numbers under one header line, unit in each column's name. Strict on purpose:
// no quoting, no text cells, '.' as decimal point, empty cell = not available.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace etalon::base {

/// Appends one row; cells are set in column order.
class CsvRow {
 public:
  void integer(std::int64_t value);
  void real(double value);
  void empty();
  /// The line with its newline; the row is empty again afterwards.
  std::string_view finish();

 private:
  void separate();
  std::string line_;
  bool first_ = true;
};

/// Reads a series row by row in constant memory.
class CsvReader {
 public:
  /// Throws Error(verification_failed) when the file cannot be read or its header is not a list of distinct names.
  explicit CsvReader(const std::filesystem::path& path);

  const std::vector<std::string>& header() const { return header_; }
  /// Column of `name`; throws Error(verification_failed) naming file and column when absent.
  std::size_t column(std::string_view name) const;
  /// Next row, as many cells as the header; false at the end. A last line without newline is not a row: see torn().
  /// Throws Error(verification_failed) naming file and line for a wrong cell count or an overlong line (64 KiB).
  bool next(std::vector<std::string_view>& cells);
  std::size_t line_number() const { return line_number_; }
  /// After next() returned false: the file ended in the middle of a line.
  bool torn() const { return torn_; }
  /// Cell as a number; throws Error(verification_failed) naming file, line and column otherwise.
  std::int64_t integer(const std::vector<std::string_view>& cells, std::size_t column) const;
  double real(const std::vector<std::string_view>& cells, std::size_t column) const;

 private:
  bool next_line(std::string_view& line);
  bool read_block();
  std::filesystem::path path_;
  std::ifstream file_;
  std::string text_;  // block being read
  std::size_t position_ = 0;
  bool torn_ = false;
  std::size_t line_number_ = 0;
  std::vector<std::string> header_;
};

}  // namespace etalon::base
