// SPDX-License-Identifier: Apache-2.0
// Document → GitHub-flavoured Markdown. Everything from a dossier is text: none of it may become a heading, a link, a
// table cell too many, or HTML.
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <variant>

#include "base/text.h"
#include "report/report.h"

namespace etalon::report {

namespace {

constexpr std::string_view special = "\\`*[]<>|~&$";
constexpr std::size_t most_text_bytes = 1 << 20;

bool is_word(std::string_view text, std::size_t place) {
  return place < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[place])) != 0 || (text[place] & '\x80') != 0);
}

/// An underscore inside a word is no emphasis, and names are full of them.
bool must_escape(std::string_view text, std::size_t place) {
  if (text[place] == '_') return place == 0 || !is_word(text, place - 1) || !is_word(text, place + 1);
  return special.find(text[place]) != std::string_view::npos;
}

/// Where a text would begin a list, a heading, a rule or the underline of a heading: the character to escape.
std::size_t block_marker(std::string_view text) {
  const auto ends = [text](std::size_t place) { return place >= text.size() || text[place] == ' '; };
  const char first = text.front();
  if (first == '#' || first == '=' || (first == '-' && (ends(1) || text[1] == '-')) || (first == '+' && ends(1)))
    return 0;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool is_number =
      digits > 0 && digits < text.size() && (text[digits] == '.' || text[digits] == ')') && ends(digits + 1);
  return is_number ? digits : std::string_view::npos;
}

/// Inline text on one line.
std::string escaped(std::string_view text) {
  std::string flat(text);
  std::ranges::replace(flat, '\n', ' ');
  flat = base::printable(base::trim(flat), most_text_bytes);
  if (flat.empty()) return flat;
  const std::size_t marker = block_marker(flat);
  std::string result;
  for (std::size_t i = 0; i < flat.size(); ++i) {
    if (i == marker || must_escape(flat, i)) result += '\\';
    result += flat[i];
  }
  return result;
}

std::string table_row(const std::vector<std::string>& cells, std::size_t width) {
  std::string line = "|";
  for (std::size_t i = 0; i < width; ++i) line += " " + (i < cells.size() ? escaped(cells[i]) : "") + " |";
  return line + "\n";
}

/// Longer than any run of backticks inside.
std::string fence_for(std::string_view code) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char character : code) {
    run = character == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

std::string code_lines(std::string_view code) {
  std::string text;
  for (const std::string_view line : base::split(code, '\n')) text += base::printable(line, most_text_bytes) + "\n";
  return text;
}

struct Renderer {
  std::string operator()(const Paragraph& paragraph) const { return escaped(paragraph.text) + "\n"; }

  std::string operator()(const Bullets& bullets) const {
    std::string text;
    for (const std::string& item : bullets.items) text += "- " + escaped(item) + "\n";
    return text;
  }

  std::string operator()(const Table& table) const {
    std::string text = table_row(table.head, table.head.size()) + "|";
    for (std::size_t i = 0; i < table.head.size(); ++i) text += " --- |";
    text += "\n";
    for (const std::vector<std::string>& row : table.rows) text += table_row(row, table.head.size());
    return text;
  }

  std::string operator()(const Code& code) const {
    const std::string fence = fence_for(code.text);
    return fence + "\n" + code_lines(code.text) + fence + "\n";
  }
};

}  // namespace

std::string render_markdown(const Document& document) {
  std::string text = "# " + escaped(document.title) + "\n";
  for (const Section& section : document.sections) {
    text += "\n## " + escaped(section.title) + "\n";
    for (const Block& block : section.blocks) text += "\n" + std::visit(Renderer{}, block);
  }
  return text;
}

}  // namespace etalon::report
