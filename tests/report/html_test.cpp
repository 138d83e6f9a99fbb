// SPDX-License-Identifier: Apache-2.0
// The page: complete in itself, and nothing that a dossier says may become markup, script or address.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "count.h"
#include "report/report.h"

namespace etalon::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string page(Block block, const Drawings& drawings = {}) {
  return render({"T", {{"S", {std::move(block)}}}}, "html", drawings);
}

const std::string hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\" ' & \xe2\x80\xa8";

Drawings drawn() {
  Drawings drawings;
  drawings.pictures["loss-1"] = {"<svg xmlns=\"http://www.w3.org/2000/svg\"><text>a & \"b\" #1 50 %</text></svg>", ""};
  drawings.javascript = "window.vegaEmbed = () => '</script>';";
  return drawings;
}

Chart chart(const std::string& text) {
  return {text, text, {{"loss-1", text, {{"description", text}, {"layer", base::Json::array()}}}}};
}

TEST(Html, RendersEveryKindOfBlock) {
  EXPECT_THAT(page(Paragraph{"Twelve words."}), HasSubstr("<p>Twelve words.</p>"));
  EXPECT_THAT(page(Bullets{{"one"}}), HasSubstr("<ul>\n<li>one</li>\n</ul>"));
  EXPECT_THAT(
      page(Table{{"a", "b"}, {{"1", "2"}, {"3"}, {"4", "5", "too many"}}}),
      HasSubstr(
          "<tr><th scope=\"col\">a</th><th scope=\"col\">b</th></tr></thead>\n<tbody>\n<tr><td>1</td><td>2</td></tr>\n"
          "<tr><td>3</td><td></td></tr>\n<tr><td>4</td><td>5</td></tr>"));
  EXPECT_THAT(page(Code{"a\n  b"}), HasSubstr("<code>a\n  b\n</code>"));
  EXPECT_THAT(page(KeyFacts{{{"On", "H200"}}}), HasSubstr("<dt>On</dt><dd>H200</dd>"));
  const std::string verdict =
      page(Verdict{Tone::caution, "drifting", "It moves.", "0.7 %", "5 u/s", "units", "5 to 6", {"One."}});
  EXPECT_THAT(verdict, HasSubstr("<div class=\"card verdict caution\">"));
  EXPECT_THAT(verdict, HasSubstr("<strong>Not to be published:</strong></p>\n<ul>\n<li>One.</li>"));
}

TEST(Html, ShowsChartsAsPicturesThatScriptsReplace) {
  const std::string text = page(chart("Loss"), drawn());
  EXPECT_THAT(
      text,
      HasSubstr("<img alt=\"Loss, Loss\" src=\"data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22%3E"
                "%3Ctext%3Ea %26 %22b%22 %231 50 %25%3C/text%3E%3C/svg%3E\">"));
  EXPECT_THAT(text, HasSubstr("<script type=\"application/json\" id=\"specification-loss-1\">{"));
  EXPECT_THAT(text, HasSubstr("<figcaption>Loss</figcaption>"));
}

TEST(Html, NeedsNoNetworkAndLetsNoOtherScriptRun) {
  const std::string text = page(chart("Loss"), drawn());
  const std::string script = "window.vegaEmbed = () => '<\\/script>';";
  EXPECT_THAT(text, HasSubstr("<script>" + script + "</script>"));
  EXPECT_THAT(text, HasSubstr("default-src 'none'; script-src 'sha256-" + base::sha256_base64(script) + "' 'sha256-"));
  EXPECT_THAT(text, Not(HasSubstr("<link")));
  EXPECT_EQ(count(text, "src=\""), count(text, "src=\"data:"));
  EXPECT_THAT(page(Paragraph{"x"}), HasSubstr("script-src 'none'"));
}

TEST(Html, EscapesHostileText) {
  for (const Block& block :
       std::vector<Block>{Paragraph{hostile}, Bullets{{hostile}}, Table{{hostile}, {{hostile}}}, Code{hostile},
                          KeyFacts{{{hostile, hostile}}}, chart(hostile),
                          Verdict{Tone::bad, hostile, hostile, hostile, hostile, hostile, hostile, {hostile}}}) {
    const std::string text = render({hostile, {{hostile, {block}}, {hostile, {block}}}}, "html", drawn());
    EXPECT_THAT(text, Not(HasSubstr("<img src=x"))) << block.index();
    EXPECT_THAT(text, Not(HasSubstr("<script>alert")));
    EXPECT_EQ(count(text, "</script>"), count(text, "<script"));
    EXPECT_THAT(text, HasSubstr("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x "
                                "onerror=alert(2)&gt;&quot; &#39; &amp;"));
  }
}

TEST(Html, EscapesHostileTextInsideSpecifications) {
  const std::string text = page(chart(hostile), drawn());
  const std::size_t start = text.find("<script type=\"application/json\"");
  const std::string script = text.substr(start, text.find("</script>", start) - start);
  EXPECT_THAT(script, HasSubstr("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)"));
  EXPECT_THAT(script, HasSubstr("\\u2028"));
  EXPECT_THAT(script, Not(HasSubstr("\xe2\x80\xa8")));
  const std::string json = script.substr(script.find('>') + 1);
  EXPECT_EQ(base::parse_json(json, "specification").at("description"), hostile);
}

TEST(Html, MakesControlCharactersVisible) { EXPECT_THAT(page(Paragraph{"a\x1b[31m"}), HasSubstr("<p>a\\x1b[31m</p>")); }

TEST(Html, SaysWhyThereAreNoCharts) {
  const std::string text = page(chart("Loss"), {"no <tool>", {}, ""});
  EXPECT_THAT(text, HasSubstr("The charts could not be drawn: no &lt;tool&gt;."));
  EXPECT_THAT(text, HasSubstr("<figcaption>Loss</figcaption>"));
  EXPECT_THAT(text, Not(HasSubstr("<img")));
}

}  // namespace
}  // namespace etalon::report
