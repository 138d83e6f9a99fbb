// SPDX-License-Identifier: Apache-2.0
// Document → GitHub-flavoured Markdown. Everything from a dossier is text: none of it may become a heading, a link, a
// table cell too many, or HTML.
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <variant>

#include "base/text.h"
#include "dossier/layout.h"
#include "report/formats/catalog.h"

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

std::string bullets_of(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += "- " + escaped(item) + "\n";
  return text;
}

/// The picture, and behind it the one that can be enlarged without loss.
std::string picture_of(const Chart& chart, const Panel& panel) {
  const std::string stem = std::string(dossier::report_charts_folder) + "/" + panel.file;
  return "[![" + escaped(chart.title + ", " + panel.label) + "](" + stem + ".png)](" + stem + ".svg)";
}

struct Renderer {
  const Drawings& drawings;

  std::string operator()(const Paragraph& paragraph) const { return escaped(paragraph.text) + "\n"; }

  std::string operator()(const Bullets& bullets) const { return bullets_of(bullets.items); }

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

  std::string operator()(const Verdict& verdict) const {
    std::string text;
    if (!verdict.value.empty()) text += "**" + escaped(verdict.value) + "** " + escaped(verdict.quantity) + "\n\n";
    if (!verdict.interval.empty()) text += escaped(verdict.interval) + "\n\n";
    text += "**Verdict: " + escaped(verdict.word) + ".** " + escaped(verdict.meaning) + "\n\n";
    if (!verdict.reason.empty()) text += "Reason: " + escaped(verdict.reason) + "\n\n";
    if (verdict.objections.empty()) return text + "**Fit to be published.**\n";
    return text + "**Not to be published:**\n\n" + bullets_of(verdict.objections);
  }

  std::string operator()(const KeyFacts& facts) const {
    std::string text = "| | |\n| --- | --- |\n";
    for (const KeyFacts::Fact& fact : facts.facts) text += table_row({fact.label, fact.value}, 2);
    return text;
  }

  /// Panels stand in the cells of a table, two side by side.
  std::string operator()(const Chart& chart) const {
    std::string text = "### " + escaped(chart.title) + "\n\n";
    std::vector<const Panel*> drawn;
    for (const Panel& panel : chart.panels)
      if (drawings.pictures.contains(panel.file)) drawn.push_back(&panel);
    if (drawn.size() == 1) text += picture_of(chart, *drawn.front()) + "\n\n";
    for (std::size_t i = 0; drawn.size() > 1 && i < drawn.size(); i += 2) {
      const Panel* right = i + 1 < drawn.size() ? drawn[i + 1] : nullptr;
      text += table_row({drawn[i]->label, right == nullptr ? "" : right->label}, 2) + "| --- | --- |\n| " +
              picture_of(chart, *drawn[i]) + " | " + (right == nullptr ? "" : picture_of(chart, *right)) + " |\n\n";
    }
    return text + escaped(chart.description) + "\n";
  }
};

std::string render(const Document& document, const Drawings& drawings) {
  std::string text = "# " + escaped(document.title) + "\n";
  if (!drawings.problem.empty()) text += "\n" + escaped(undrawn_in_words(drawings)) + "\n";
  for (const Section& section : document.sections) {
    text += "\n## " + escaped(section.title) + "\n";
    for (const Block& block : section.blocks) text += "\n" + std::visit(Renderer{drawings}, block);
  }
  return text;
}

}  // namespace

Format make_markdown_format() {
  return {"md", "Markdown with pictures beside it, as code-hosting pages show it", true, false, render};
}

}  // namespace etalon::report
