// SPDX-License-Identifier: Apache-2.0
// Nothing that a dossier says may change the shape of the page.
#include <gtest/gtest.h>

#include "report/report.h"

namespace etalon::report {
namespace {

std::string body(Block block) {
  const std::string text = render({"T", {{"S", {std::move(block)}}}}, "md");
  const std::string head = "# T\n\n## S\n\n";
  EXPECT_EQ(text.substr(0, head.size()), head);
  return text.substr(head.size());
}

std::string paragraph(const std::string& text) { return body(Paragraph{text}); }

TEST(Markdown, RendersEveryKindOfBlock) {
  EXPECT_EQ(paragraph("Twelve words."), "Twelve words.\n");
  EXPECT_EQ(body(Bullets{{"one", "two"}}), "- one\n- two\n");
  EXPECT_EQ(body(Table{{"a", "b"}, {{"1", "2"}, {"3", "4"}}}), "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n");
  EXPECT_EQ(body(Code{"etalon run nano\netalon verify ."}), "```\netalon run nano\netalon verify .\n```\n");
}

TEST(Markdown, SeparatesSectionsAndBlocksByBlankLines) {
  EXPECT_EQ(render({"Title", {{"A", {Paragraph{"x"}, Paragraph{"y"}}}, {"B", {Paragraph{"z"}}}}}, "md"),
            "# Title\n\n## A\n\nx\n\ny\n\n## B\n\nz\n");
}

TEST(Markdown, EscapesMarkup) {
  EXPECT_EQ(paragraph("<script>alert(1)</script>"), "\\<script\\>alert(1)\\</script\\>\n");
  EXPECT_EQ(paragraph("[click](http://x) ![i](y) `c` *b* ~s~ $m$ &lt; \\"),
            "\\[click\\](http://x) !\\[i\\](y) \\`c\\` \\*b\\* \\~s\\~ \\$m\\$ \\&lt; \\\\\n");
}

TEST(Markdown, LeavesNamesReadable) {
  EXPECT_EQ(paragraph("tokens_per_second and _this_"), "tokens_per_second and \\_this\\_\n");
  EXPECT_EQ(paragraph("1.2 GB, -5 °C, 3e-4"), "1.2 GB, -5 °C, 3e-4\n");
}

TEST(Markdown, EscapesWhatWouldBeginABlock) {
  EXPECT_EQ(paragraph("# heading"), "\\# heading\n");
  EXPECT_EQ(paragraph("- item"), "\\- item\n");
  EXPECT_EQ(paragraph("---"), "\\---\n");
  EXPECT_EQ(paragraph("+ item"), "\\+ item\n");
  EXPECT_EQ(paragraph("==="), "\\===\n");
  EXPECT_EQ(paragraph("12. item"), "12\\. item\n");
  EXPECT_EQ(paragraph("1) item"), "1\\) item\n");
  EXPECT_EQ(paragraph("    code"), "code\n");
  EXPECT_EQ(paragraph("> quote"), "\\> quote\n");
}

TEST(Markdown, KeepsCellsInTheirColumns) {
  EXPECT_EQ(body(Table{{"a|b", "c"}, {{"x | y", "line\nbreak"}, {"short"}, {"1", "2", "too many"}}}),
            "| a\\|b | c |\n| --- | --- |\n| x \\| y | line break |\n| short |  |\n| 1 | 2 |\n");
}

TEST(Markdown, MakesControlCharactersVisible) { EXPECT_EQ(paragraph("a\x1b[31mred"), "a\\\\x1b\\[31mred\n"); }

TEST(Markdown, FencesCodeThatHoldsFences) { EXPECT_EQ(body(Code{"````\nx"}), "`````\n````\nx\n`````\n"); }

TEST(Markdown, TellsAVerdictWithItsObjections) {
  Verdict verdict{
      Tone::good, "steady", "It holds.", "all gates", "500 tokens/s", "tokens per second", "95 % interval 1 to 2", {}};
  EXPECT_EQ(
      body(verdict),
      "**500 tokens/s** tokens per second\n\n95 % interval 1 to 2\n\n**Verdict: steady.** It holds.\n\nReason: all "
      "gates\n\n**Fit to be published.**\n");
  verdict.objections = {"One launch."};
  EXPECT_TRUE(body(verdict).ends_with("**Not to be published:**\n\n- One launch.\n"));
}

TEST(Markdown, PutsKeyFactsIntoATable) {
  EXPECT_EQ(body(KeyFacts{{{"On", "a | b"}}}), "| | |\n| --- | --- |\n| On | a \\| b |\n");
}

TEST(Markdown, ShowsPicturesBesideIt) {
  const Chart chart{"Loss", "It falls.", {{"loss-1", "Launch 1", {}}}};
  Drawings drawings;
  EXPECT_EQ(render({"T", {{"S", {chart}}}}, "md", drawings), "# T\n\n## S\n\n### Loss\n\nIt falls.\n");
  drawings.pictures["loss-1"] = {"<svg/>", "png"};
  EXPECT_EQ(render({"T", {{"S", {chart}}}}, "md", drawings),
            "# T\n\n## S\n\n### Loss\n\n[![Loss, Launch 1](report-charts/loss-1.png)](report-charts/loss-1.svg)\n\nIt "
            "falls.\n");
}

TEST(Markdown, PutsLaunchesSideBySide) {
  const Chart chart{"Loss", "", {{"loss-1", "Launch 1", {}}, {"loss-2", "Launch 2", {}}, {"loss-3", "Launch 3", {}}}};
  Drawings drawings;
  for (const Panel& panel : chart.panels) drawings.pictures[panel.file] = {"<svg/>", "png"};
  const std::string text = render({"T", {{"S", {chart}}}}, "md", drawings);
  EXPECT_NE(text.find("| Launch 1 | Launch 2 |\n| --- | --- |\n| [![Loss, Launch 1]("), std::string::npos) << text;
  EXPECT_NE(text.find("| Launch 3 |  |"), std::string::npos) << text;
}

TEST(Markdown, SaysWhyThereAreNoCharts) {
  const std::string text = render({"T", {}}, "md", {"no *tool*", {}, ""});
  EXPECT_NE(text.find("The charts could not be drawn: no \\*tool\\*."), std::string::npos) << text;
}

}  // namespace
}  // namespace etalon::report
