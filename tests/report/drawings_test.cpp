// SPDX-License-Identifier: Apache-2.0
// The charts tool may be missing, fail, hang or print nonsense: each ends in words. Where it is there, it draws.
#include "report/drawings.h"

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dossier/example.h"
#include "processes.h"
#include "report/charts/specification.h"

namespace etalon::report {
namespace {

using ::testing::HasSubstr;

Document one_chart() {
  base::Json specification = empty_specification(1);
  specification["encoding"] = {{"x", quantitative("x", "<x> & \"y\"", {0, 2})}, {"y", quantitative("y", "y", {0, 4})}};
  specification["data"] = inline_data({{0, 1}, {1, 3}, {2, 2}});
  specification["mark"] = "line";
  return {"T", {{"S", {Chart{"Loss", "It falls.", {{"loss-1", "Launch 1", specification}}}}}}};
}

/// A stand-in for Python: a shell script whose first argument is the folder with the request.
class FakeTool {
 public:
  explicit FakeTool(const std::string& commands) {
    example::overwrite(place_ / "python", "#!/bin/sh\nshift\n" + commands);
    ::chmod((place_ / "python").c_str(), 0755);
  }
  Drawings draw(double deadline_seconds = 20) const {
    return make_drawings(one_chart(), {place_ / "python", place_ / "draw_charts.py", deadline_seconds}, true, true);
  }
  std::filesystem::path operator/(const char* name) const { return place_ / name; }

 private:
  example::Place place_;
};

TEST(Drawings, AreCollectedFromTheTool) {
  const FakeTool tool(
      "grep -q loss-1 $1/request.json || exit 1\necho '<svg>S</svg>' >$1/loss-1.svg\n"
      "echo P >$1/loss-1.png\necho J >$1/charts.js\n");
  const Drawings drawings = tool.draw();
  EXPECT_EQ(drawings.problem, "");
  EXPECT_THAT(drawings.pictures.at("loss-1").svg, HasSubstr("<svg><style>@media (prefers-color-scheme: dark)"));
  EXPECT_EQ(drawings.pictures.at("loss-1").png, "P\n");
  EXPECT_EQ(drawings.javascript, "J\n");
}

TEST(Drawings, ReportWhatTheToolSaidLast) {
  EXPECT_EQ(FakeTool("echo first\necho 'no \033[31mtool' >&2\nexit 3\n").draw().problem, "no \\x1b[31mtool");
  EXPECT_THAT(FakeTool("exit 5\n").draw().problem, HasSubstr("exited with status 5"));
  EXPECT_THAT(FakeTool("kill -9 $$\n").draw().problem, HasSubstr("killed by signal 9"));
}

TEST(Drawings, ReportThatTheToolLeftNothing) {
  EXPECT_THAT(FakeTool("exit 0\n").draw().problem, HasSubstr("loss-1.svg"));
}

TEST(Drawings, EndAToolThatHangs) {
  const FakeTool tool("mkdir -p $(dirname $0)/pids\necho $$ >$(dirname $0)/pids/1\nsleep 100\n");
  EXPECT_EQ(tool.draw(0.5).problem, "draw_charts.py was ended after 500 ms");
  expect_all_gone(processes_in(tool / "pids", 1), 5);
}

TEST(Drawings, ReportAMissingTool) {
  EXPECT_THAT(make_drawings(one_chart(), {"/nowhere/python", "/nowhere/draw_charts.py", 5}, true, true).problem,
              HasSubstr("cannot start /nowhere/python: no such file"));
  EXPECT_THAT(make_drawings(one_chart(), {"/bin/true", "", 5}, true, true).problem,
              HasSubstr("draw_charts.py is neither"));
}

TEST(Drawings, AreNotMadeWithoutCharts) {
  EXPECT_EQ(make_drawings({"T", {}}, {"/nowhere/python", "", 5}, true, true).problem, "");
}

TEST(Drawings, AreDrawnByVegaLiteWhereItIsInstalled) {
  DrawingTool tool = find_drawing_tool();
  tool.script = std::filesystem::path(ETALON_SOURCE_ROOT) / "share/draw_charts.py";
  const Drawings drawings = make_drawings(one_chart(), tool, true, true);
  if (drawings.problem.find("not installed") != std::string::npos) GTEST_SKIP() << drawings.problem;
  EXPECT_EQ(drawings.problem, "");
  EXPECT_THAT(drawings.pictures.at("loss-1").svg, HasSubstr("&lt;x&gt; &amp; \"y\""));
  EXPECT_TRUE(drawings.pictures.at("loss-1").png.starts_with("\x89PNG"));
  EXPECT_THAT(drawings.javascript, HasSubstr("vegaEmbed"));
}

}  // namespace
}  // namespace etalon::report
