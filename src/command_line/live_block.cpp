// SPDX-License-Identifier: Apache-2.0
#include "command_line/live_block.h"

#include <sys/ioctl.h>

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "base/text.h"

namespace etalon::command_line {

namespace {

constexpr std::string_view end_of_style = "\x1b[0m";

/// The first `columns` characters; styles pass through and are ended.
std::string cut(const std::string& line, std::size_t columns) {
  std::string result;
  std::size_t width = 0;
  bool in_style = false;
  for (const char byte : line) {
    if (byte == '\x1b') in_style = true;
    if (!in_style && !base::continues_character(byte) && ++width > columns) return result + std::string(end_of_style);
    result += byte;
    if (in_style && byte == 'm') in_style = false;
  }
  return result;
}

}  // namespace

TerminalSize terminal_size(int descriptor) {
  winsize size{};
  TerminalSize result;
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0) return result;
  if (size.ws_col > 0) result.columns = size.ws_col;
  if (size.ws_row > 0) result.rows = size.ws_row;
  return result;
}

LiveBlock::LiveBlock(std::ostream& stream, std::function<TerminalSize()> size)
    : stream_(stream), size_(std::move(size)) {}

std::string LiveBlock::start_over() const {
  if (drawn_ == 0) return {};
  return drawn_ == 1 ? "\r" : fmt::format("\r\x1b[{}A", drawn_ - 1);
}

void LiveBlock::draw(const std::vector<std::string>& lines) {
  const TerminalSize size = size_();
  std::string text = start_over();
  if (size.columns < columns_) text = "\n";  // old lines may have been broken in two: leave them, begin below
  // The last column stays free: some terminals wrap as soon as it is filled.
  const std::size_t width = std::max<std::size_t>(size.columns, 2) - 1;
  const std::size_t count = std::min(lines.size(), std::max<std::size_t>(size.rows, 2) - 1);
  for (std::size_t index = 0; index < count; ++index)
    text += fmt::format("{}\x1b[2K{}", index == 0 ? "" : "\n", cut(lines[index], width));
  stream_ << text << "\x1b[J" << std::flush;
  drawn_ = count;
  columns_ = size.columns;
}

void LiveBlock::clear() {
  if (drawn_ == 0) return;
  stream_ << start_over() << "\x1b[J" << std::flush;
  drawn_ = 0;
}

std::string styled(const std::string& text, Style style, bool colours) {
  if (!colours || style == Style::plain) return text;
  const char* start = style == Style::strong ? "\x1b[1m" : style == Style::good ? "\x1b[32m" : "\x1b[2m";
  return start + text + std::string(end_of_style);
}

}  // namespace etalon::command_line
