// SPDX-License-Identifier: Apache-2.0
// Document → one HTML file that needs nothing else: pictures as data, script and style inside. Everything from a dossier is
// text; should that ever fail, the page's policy lets no script run but its own two and lets nothing be fetched.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/text.h"
#include "report/formats/catalog.h"
#include "report/formats/page_texts.h"

namespace etalon::report {

namespace {

constexpr std::size_t most_text_bytes = std::size_t{1} << 20;

struct Entity {
  char letter;
  std::string_view text;
};
constexpr std::array entities = {Entity{'&', "&amp;"}, Entity{'<', "&lt;"}, Entity{'>', "&gt;"}, Entity{'"', "&quot;"},
                                 Entity{'\'', "&#39;"}};

/// Text and attribute values, control characters made visible.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : base::printable(text, most_text_bytes)) {
    const auto entity = std::ranges::find(entities, letter, &Entity::letter);
    if (entity == entities.end())
      result += letter;
    else
      result += entity->text;
  }
  return result;
}

/// JSON inside <script>: nothing in it may end the element or, in old engines, a line.
std::string script_safe(std::string text) {
  for (const auto& [from, to] : {std::pair{"<", "\\u003c"},
                                 {">", "\\u003e"},
                                 {"&", "\\u0026"},
                                 {"\xe2\x80\xa8", "\\u2028"},
                                 {"\xe2\x80\xa9", "\\u2029"}}) {
    const std::string_view found(from);
    for (std::size_t place = text.find(found); place != std::string::npos; place = text.find(found, place))
      text.replace(place, found.size(), to);
  }
  return text;
}

/// JavaScript that we did not write: its texts must not end the element. "<\/" is the same to it.
std::string element_safe(std::string script) {
  std::erase(script, '\r');
  for (const auto& [from, to] : {std::pair{"</script", "<\\/script"}, {"<!--", "<\\!--"}})
    for (std::size_t place = script.find(from); place != std::string::npos; place = script.find(from, place + 1))
      script.replace(place, std::string_view(from).size(), to);
  return script;
}

/// An SVG as a data address for an attribute in double quotes.
std::string data_address(const std::string& svg) {
  std::string address = "data:image/svg+xml,";
  for (const char letter : svg) {
    const bool keep = static_cast<unsigned char>(letter) > ' ' &&
                      std::string_view("\"'<>&#%`\\^{|}\x7f").find(letter) == std::string_view::npos;
    if (keep)
      address += letter;
    else if (letter == ' ')
      address += ' ';
    else
      address += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return address;
}

std::string list_of(const std::vector<std::string>& items) {
  std::string text = "<ul>\n";
  for (const std::string& item : items) text += "<li>" + escaped(item) + "</li>\n";
  return text + "</ul>\n";
}

class Renderer {
 public:
  Renderer(const Drawings& drawings, const std::string& section) : drawings_(drawings), section_(section) {}

  std::string operator()(const Paragraph& paragraph) const { return "<p>" + escaped(paragraph.text) + "</p>\n"; }
  std::string operator()(const Bullets& bullets) const { return list_of(bullets.items); }

  std::string operator()(const Table& table) const {
    std::string text = fmt::format(
        "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"Table: {}\">\n<table>\n<thead><tr>",
        escaped(section_));
    for (const std::string& cell : table.head) text += "<th scope=\"col\">" + escaped(cell) + "</th>";
    text += "</tr></thead>\n<tbody>\n";
    for (const std::vector<std::string>& row : table.rows) {
      text += "<tr>";
      for (std::size_t i = 0; i < table.head.size(); ++i)
        text += "<td>" + (i < row.size() ? escaped(row[i]) : "") + "</td>";
      text += "</tr>\n";
    }
    return text + "</tbody>\n</table>\n</div>\n";
  }

  std::string operator()(const Code& code) const {
    std::string text = "<pre tabindex=\"0\"><code>";
    for (const std::string_view line : base::split(code.text, '\n')) text += escaped(line) + "\n";
    return text + "</code></pre>\n";
  }

  std::string operator()(const Verdict& verdict) const {
    std::string text = fmt::format("<div class=\"card verdict {}\">\n<div>\n", to_text(verdict.tone));
    text += "<p class=\"quantity\">" + escaped(verdict.quantity) + "</p>\n";
    text += "<p class=\"value\">" + escaped(verdict.value.empty() ? "no value" : verdict.value) + "</p>\n";
    text += "<p class=\"interval\">" + escaped(verdict.interval) + "</p>\n</div>\n<div>\n";
    text += "<p class=\"badge\">" + escaped(verdict.word) + "</p>\n<p>" + escaped(verdict.meaning) + "</p>\n";
    if (verdict.objections.empty())
      text += "<p><strong>Fit to be published.</strong></p>\n";
    else
      text += "<p><strong>Not to be published:</strong></p>\n" + list_of(verdict.objections);
    text += "</div>\n";
    if (!verdict.reason.empty()) text += "<p class=\"reason\">" + escaped(verdict.reason) + "</p>\n";
    return text + "</div>\n";
  }

  std::string operator()(const KeyFacts& facts) const {
    std::string text = "<dl class=\"card\">\n";
    for (const KeyFacts::Fact& fact : facts.facts)
      text += "<dt>" + escaped(fact.label) + "</dt><dd>" + escaped(fact.value) + "</dd>\n";
    return text + "</dl>\n";
  }

  std::string operator()(const Chart& chart) const {
    std::string text = "<figure>\n<h3>" + escaped(chart.title) + "</h3>\n";
    std::string panels;
    for (const Panel& panel : chart.panels) panels += panel_of(chart, panel);
    if (!panels.empty()) text += "<div class=\"panels\">\n" + panels + "</div>\n";
    return text + "<figcaption>" + escaped(chart.description) + "</figcaption>\n</figure>\n";
  }

 private:
  std::string panel_of(const Chart& chart, const Panel& panel) const {
    const auto picture = drawings_.pictures.find(panel.file);
    if (picture == drawings_.pictures.end()) return "";
    std::string text = "<div class=\"panel\">\n";
    if (chart.panels.size() > 1) text += "<p>" + escaped(panel.label) + "</p>\n";
    const std::string id = escaped("specification-" + panel.file);
    text += fmt::format("<div class=\"drawing\" data-specification=\"{}\">", id);
    text += fmt::format("<img alt=\"{}\" src=\"{}\"></div>\n", escaped(fmt::format("{}, {}", chart.title, panel.label)),
                        data_address(picture->second.svg));
    text += fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n</div>\n", id,
                        script_safe(base::to_line(panel.specification)));
    return text;
  }

  const Drawings& drawings_;
  const std::string& section_;
};

std::string contents_of(const Document& document) {
  std::string text = "<nav aria-label=\"Contents\">\n";
  for (std::size_t i = 1; i < document.sections.size(); ++i)
    text += fmt::format("<a href=\"#section-{}\">{}</a>\n", i + 1, escaped(document.sections[i].title));
  return text + "</nav>\n";
}

std::string body_of(const Document& document, const Drawings& drawings) {
  std::string text = "<body>\n<header>\n<p class=\"brand\">étalon report</p>\n<h1>" + escaped(document.title) +
                     "</h1>\n</header>\n<main>\n";
  for (std::size_t i = 0; i < document.sections.size(); ++i) {
    const Section& section = document.sections[i];
    text += fmt::format("<section id=\"section-{}\">\n<h2>{}</h2>\n", i + 1, escaped(section.title));
    for (const Block& block : section.blocks) text += std::visit(Renderer(drawings, section.title), block);
    text += "</section>\n";
    if (i > 0) continue;
    text += contents_of(document);
    if (!drawings.problem.empty()) text += "<p class=\"card notice\">" + escaped(undrawn_in_words(drawings)) + "</p>\n";
  }
  return text + "</main>\n";
}

std::string script_element(const std::string& script) { return "<script>" + script + "</script>\n"; }

std::string render(const Document& document, const Drawings& drawings) {
  const bool draws = !drawings.javascript.empty();
  const std::string library = element_safe(drawings.javascript);
  const std::string script = page_script();
  const std::string scripts =
      draws ? fmt::format("'sha256-{}' 'sha256-{}'", base::sha256_base64(library), base::sha256_base64(script))
            : "'none'";
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {}; "
      "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n",
      scripts, escaped(document.title), page_style());
  text += body_of(document, drawings);
  text += "<footer>Made by étalon from the dossier alone; remade by <code>etalon report</code>.";
  if (draws)
    text +=
        " On a chart, the wheel with Shift zooms, dragging moves, a double click goes back. Charts are drawn by Vega, "
        "Vega-Lite "
        "and Vega-Embed (© University of Washington Interactive Data Lab, BSD-3-Clause) with D3 (© Mike Bostock, ISC).";
  text += "</footer>\n";
  if (draws) text += script_element(library) + script_element(script);
  return text + "</body>\n</html>\n";
}

}  // namespace

Format make_html_format() { return {"html", "one self-contained page with interactive charts", false, true, render}; }

}  // namespace etalon::report
