// SPDX-License-Identifier: Apache-2.0
// A few lines at the end of a terminal that are rewritten in place, and never scroll what stands above them away.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace etalon::command_line {

struct TerminalSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

/// Of the terminal behind this descriptor; 80 × 24 when it does not tell.
TerminalSize terminal_size(int descriptor);

class LiveBlock {
 public:
  /// `size` is asked at every drawing, so a resized window is filled from the next one on.
  LiveBlock(std::ostream& stream, std::function<TerminalSize()> size);

  /// Lines are cut to the width; of more lines than the terminal has rows the first are shown. Colours (SGR sequences
  /// of ours, see styled()) do not count as width.
  void draw(const std::vector<std::string>& lines);
  /// Removes the block; the cursor stands where it began.
  void clear();

 private:
  std::string start_over() const;

  std::ostream& stream_;
  std::function<TerminalSize()> size_;
  std::size_t drawn_ = 0;    // lines on the screen
  std::size_t columns_ = 0;  // of the terminal when they were drawn
};

enum class Style { plain, strong, good, faint };
/// The text in a colour or weight that works on dark and light ground; `colours` false: the text itself.
std::string styled(const std::string& text, Style style, bool colours);

}  // namespace etalon::command_line
