// SPDX-License-Identifier: Apache-2.0
// Reports of recorded runs, byte for byte; without what depends on the build, on the moment, or on keys that are added.
#include "golden.h"

#include <algorithm>
#include <set>

#include "report/recorded.h"
#include "report/report.h"

namespace etalon::report {
namespace {

Document document_of(const std::filesystem::path& folder) {
  Document document = build_document(dossier::load(folder));
  static const std::set<std::string> changing = {"Files", "Settings", "Machine"};
  std::erase_if(document.sections, [](const Section& section) { return changing.contains(section.title); });
  for (Block& block : document.sections.front().blocks)
    if (auto* facts = std::get_if<KeyFacts>(&block))
      std::erase_if(facts->facts, [](const auto& fact) { return fact.label == "When" || fact.label == "With"; });
  return document;
}

/// Pictures that stand for those of the charts tool, whose fonts differ between machines.
Drawings stand_ins(const Document& document) {
  Drawings drawings{"", {}, "window.vegaEmbed = () => {};"};
  for (const Panel* panel : panels_of(document)) drawings.pictures[panel->file] = {"<svg/>", "png"};
  return drawings;
}

const std::filesystem::path golden = std::filesystem::path(ETALON_FIXTURES) / "golden";

TEST(GoldenReport, OfNanoOnTheCpu) {
  const example::Place place;
  recorded::write_nano_cpu(place / "run");
  const Document document = document_of(place / "run");
  expect_golden(render(document, "md", stand_ins(document)), golden / "report_nano_cpu.md");
  expect_golden(render(document, "html", stand_ins(document)), golden / "report_nano_cpu.html");
}

TEST(GoldenReport, OfALanguageModelOnAnH200) {
  const example::Place place;
  recorded::write_h200_llm(place / "run");
  const Document document = document_of(place / "run");
  expect_golden(render(document, "md", stand_ins(document)), golden / "report_h200_llm.md");
}

}  // namespace
}  // namespace etalon::report
