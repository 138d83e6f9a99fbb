// SPDX-License-Identifier: Apache-2.0
// Nothing that a dossier says may change the shape of the page.
#include <gtest/gtest.h>

#include "report/report.h"

namespace etalon::report {
namespace {

std::string body(Block block) {
  const std::string text = render_markdown({"T", {{"S", {std::move(block)}}}});
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
  EXPECT_EQ(render_markdown({"Title", {{"A", {Paragraph{"x"}, Paragraph{"y"}}}, {"B", {Paragraph{"z"}}}}}),
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

}  // namespace
}  // namespace etalon::report
