// SPDX-License-Identifier: Apache-2.0
// Document → JSON: the tree as it is, for programs that show it in their own way; charts as Vega-Lite with their data.
#include <fmt/format.h>

#include "report/formats/catalog.h"

namespace etalon::report {

namespace {

using base::Json;

struct Renderer {
  Json operator()(const Paragraph& paragraph) const { return {{"kind", "paragraph"}, {"text", paragraph.text}}; }
  Json operator()(const Bullets& bullets) const { return {{"kind", "bullets"}, {"items", bullets.items}}; }
  Json operator()(const Table& table) const { return {{"kind", "table"}, {"head", table.head}, {"rows", table.rows}}; }
  Json operator()(const Code& code) const { return {{"kind", "code"}, {"text", code.text}}; }
  Json operator()(const Verdict& verdict) const {
    return {{"kind", "verdict"},
            {"tone", to_text(verdict.tone)},
            {"word", verdict.word},
            {"meaning", verdict.meaning},
            {"reason", verdict.reason},
            {"value", verdict.value},
            {"quantity", verdict.quantity},
            {"interval", verdict.interval},
            {"objections", verdict.objections}};
  }
  Json operator()(const KeyFacts& facts) const {
    Json list = Json::array();
    for (const KeyFacts::Fact& fact : facts.facts) list.push_back({{"label", fact.label}, {"value", fact.value}});
    return {{"kind", "key facts"}, {"facts", std::move(list)}};
  }
  Json operator()(const Chart& chart) const {
    Json panels = Json::array();
    for (const Panel& panel : chart.panels)
      panels.push_back({{"file", panel.file}, {"label", panel.label}, {"specification", panel.specification}});
    return {
        {"kind", "chart"}, {"title", chart.title}, {"description", chart.description}, {"panels", std::move(panels)}};
  }
};

std::string render(const Document& document, const Drawings&) {
  Json sections = Json::array();
  for (const Section& section : document.sections) {
    Json blocks = Json::array();
    for (const Block& block : section.blocks) blocks.push_back(std::visit(Renderer{}, block));
    sections.push_back({{"title", section.title}, {"blocks", std::move(blocks)}});
  }
  return base::to_document({{"schema", 1}, {"title", document.title}, {"sections", std::move(sections)}});
}

}  // namespace

Format make_json_format() {
  return {"json", "the document tree for other programs, charts as Vega-Lite", false, false, render};
}

}  // namespace etalon::report
