// SPDX-License-Identifier: Apache-2.0
// A dossier with hostile text in every field shows it as text, in every form of the report.
#include "report/hostile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "count.h"
#include "report/report.h"

namespace etalon::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Without fenced code, which shows everything as it is.
std::string without_code(const std::string& markdown) {
  std::string text;
  std::string fence;
  for (const std::string_view line : base::split(markdown, '\n')) {
    const bool edge = fence.empty() ? line.starts_with("```") : line == fence;
    if (edge) fence = fence.empty() ? std::string(line) : "";
    if (fence.empty() && !edge) text += std::string(line) + "\n";
  }
  return text;
}

class Hostile : public ::testing::Test {
 protected:
  Hostile() { hostile::write(place_ / "run"); }
  /// Pictures stand in for those that the charts tool would make.
  std::string report(const std::string& format) const {
    const Document document = build_document(dossier::load(place_ / "run"));
    Drawings drawings{"", {}, "window.vegaEmbed = () => {};"};
    for (const Panel* panel : panels_of(document)) drawings.pictures[panel->file] = {"<svg/>", "png"};
    return render(document, format, drawings);
  }
  example::Place place_;
};

TEST_F(Hostile, TextStaysTextOnThePage) {
  const std::string page = report("html");
  EXPECT_THAT(page, Not(HasSubstr("<img src=x")));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, HasSubstr("<h1>&lt;/script&gt;&lt;script&gt;alert(1)"));
  EXPECT_EQ(count(page, "<script"), count(page, "</script>"));
  EXPECT_EQ(count(page, "<script>"), 2u);
  EXPECT_GE(count(page, "<script type=\"application/json\""), 5u);
  for (std::size_t start = page.find("<script type="); start != std::string::npos;
       start = page.find("<script type=", start + 1)) {
    const std::string script = page.substr(start, page.find("</script>", start) - start);
    EXPECT_THAT(script, Not(HasSubstr("\xe2\x80\xa8")));
  }
}

TEST_F(Hostile, TextStaysTextInMarkdown) {
  const std::string text = without_code(report("md"));
  EXPECT_EQ(count(text, "<script"), count(text, "\\<script"));
  EXPECT_EQ(count(text, "<img"), count(text, "\\<img"));
  EXPECT_EQ(count(text, "[a]"), 0u);
}

TEST_F(Hostile, TextIsKeptInJson) {
  const base::Json report_json = base::parse_json(report("json"), "report.json");
  EXPECT_EQ(report_json.at("title"), hostile::text);
}

}  // namespace
}  // namespace etalon::report
