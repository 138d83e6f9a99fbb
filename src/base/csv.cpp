// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"

namespace etalon::base {

namespace {

constexpr std::size_t block_bytes = 256 * 1024;
constexpr std::size_t max_line_bytes = 64 * 1024;

Error bad(const std::filesystem::path& path, std::size_t line, const std::string& problem) {
  return Error(ExitCode::verification_failed, fmt::format("{}:{}: {}", path.string(), line, problem));
}

void split_cells(std::string_view line, std::vector<std::string_view>& cells) {
  cells.clear();
  std::size_t start = 0;
  for (std::size_t end = line.find(','); end != std::string_view::npos; end = line.find(',', start)) {
    cells.push_back(line.substr(start, end - start));
    start = end + 1;
  }
  cells.push_back(line.substr(start));
}

}  // namespace

void CsvRow::separate() {
  if (first_) {
    line_.clear();
  } else {
    line_ += ',';
  }
  first_ = false;
}

void CsvRow::integer(std::int64_t value) {
  separate();
  std::array<char, 24> digits;
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  line_.append(digits.data(), result.ptr);
}

void CsvRow::real(double value) {
  separate();
  std::array<char, 32> digits;
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  line_.append(digits.data(), result.ptr);
}

void CsvRow::empty() { separate(); }

std::string_view CsvRow::finish() {
  if (first_) line_.clear();
  line_ += '\n';
  first_ = true;
  return line_;
}

CsvReader::CsvReader(const std::filesystem::path& path) : path_(path), file_(path, std::ios::binary) {
  if (!file_) throw system_error("read", path_.string(), errno, ExitCode::verification_failed);
  std::string_view line;
  if (!next_line(line)) throw bad(path_, 1, "the header line is missing");
  std::vector<std::string_view> names;
  split_cells(line, names);
  header_.assign(names.begin(), names.end());
  const std::set<std::string> distinct(header_.begin(), header_.end());
  if (distinct.size() != header_.size() || distinct.contains(""))
    throw bad(path_, 1, "the header is not a list of distinct names");
}

bool CsvReader::read_block() {
  text_.erase(0, position_);
  position_ = 0;
  const std::size_t kept = text_.size();
  text_.resize(kept + block_bytes);
  file_.read(text_.data() + kept, static_cast<std::streamsize>(block_bytes));
  text_.resize(kept + static_cast<std::size_t>(file_.gcount()));
  return text_.size() > kept;
}

bool CsvReader::next_line(std::string_view& line) {
  std::size_t newline = text_.find('\n', position_);
  while (newline == std::string::npos) {
    if (text_.size() - position_ > max_line_bytes) throw bad(path_, line_number_ + 1, "the line is too long");
    if (!read_block()) {
      torn_ = position_ < text_.size();
      return false;
    }
    newline = text_.find('\n', position_);
  }
  line = std::string_view(text_).substr(position_, newline - position_);
  position_ = newline + 1;
  ++line_number_;
  if (line.size() > max_line_bytes) throw bad(path_, line_number_, "the line is too long");
  return true;
}

std::size_t CsvReader::column(std::string_view name) const {
  for (std::size_t i = 0; i < header_.size(); ++i)
    if (header_[i] == name) return i;
  throw bad(path_, 1, fmt::format("the column {} is missing", name));
}

bool CsvReader::next(std::vector<std::string_view>& cells) {
  std::string_view line;
  if (!next_line(line)) return false;
  split_cells(line, cells);
  if (cells.size() != header_.size())
    throw bad(path_, line_number_, fmt::format("{} cells where the header has {}", cells.size(), header_.size()));
  return true;
}

std::int64_t CsvReader::integer(const std::vector<std::string_view>& cells, std::size_t column) const {
  if (const auto value = parse_integer(cells.at(column))) return *value;
  throw bad(path_, line_number_,
            fmt::format("\"{}\" in column {} is not an integer", printable(cells.at(column), 60), header_[column]));
}

double CsvReader::real(const std::vector<std::string_view>& cells, std::size_t column) const {
  if (const auto value = parse_double(cells.at(column))) return *value;
  throw bad(path_, line_number_,
            fmt::format("\"{}\" in column {} is not a number", printable(cells.at(column), 60), header_[column]));
}

}  // namespace etalon::base
