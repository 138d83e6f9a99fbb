// SPDX-License-Identifier: Apache-2.0
// Cuts a byte stream into lines without ever holding more than one bounded line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace etalon::wire {

class LineBuffer {
 public:
  explicit LineBuffer(std::size_t bound) : max_line_bytes_(bound) {}

  /// Calls on_line(std::string_view without newline) for each complete line in the stream so far.
  /// Returns false, for good, once a line exceeds the bound.
  template <class OnLine>
  bool feed(std::string_view bytes, OnLine&& on_line);

  /// Bytes of an unfinished line: at the end of a stream, a half line.
  std::string_view rest() const { return rest_; }

 private:
  std::size_t max_line_bytes_;
  std::string rest_;
  bool broken_ = false;
};

template <class OnLine>
bool LineBuffer::feed(std::string_view bytes, OnLine&& on_line) {
  while (!broken_ && !bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, newline);
    if (rest_.size() + piece.size() > max_line_bytes_) {
      broken_ = true;
      break;
    }
    if (newline == std::string_view::npos) {
      rest_.append(piece);
      break;
    }
    if (rest_.empty()) {
      on_line(piece);
    } else {
      rest_.append(piece);
      on_line(std::string_view(rest_));
      rest_.clear();
    }
    bytes.remove_prefix(newline + 1);
  }
  return !broken_;
}

}  // namespace etalon::wire
