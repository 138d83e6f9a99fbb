// SPDX-License-Identifier: Apache-2.0
// The page in a real browser: every chart is drawn by its script under the page's own policy, without a word on the console.
#include <array>
#include <cstdio>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "count.h"
#include "dossier/example.h"
#include "launch/program.h"
#include "report/hostile.h"
#include "report/report.h"

namespace etalon::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Standard output and standard error of a shell command.
std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  std::array<char, 65536> block;
  for (std::size_t size = std::fread(block.data(), 1, block.size(), pipe); size > 0;
       size = std::fread(block.data(), 1, block.size(), pipe))
    text.append(block.data(), size);
  ::pclose(pipe);
  return text;
}

class Browser : public ::testing::Test {
 protected:
  void SetUp() override {
    if (launch::search_path("chromium").empty()) GTEST_SKIP() << "there is no chromium";
  }
  /// The page's elements once its scripts have run, after what the browser had to say.
  std::string open(const std::filesystem::path& dossier) {
    DrawingTool tool = find_drawing_tool();
    tool.script = std::filesystem::path(ETALON_SOURCE_ROOT) / "share/draw_charts.py";
    const Written written = write(dossier::load(dossier), {"html"}, tool);
    problem_ = written.problem;
    charts_ = panels_of(build_document(dossier::load(dossier))).size();
    return output_of(
        "HOME=" + place_.path().string() +
        " timeout 60 chromium --headless --no-sandbox --disable-gpu --enable-logging=stderr --window-size=1200,9000 "
        "--virtual-time-budget=10000 --dump-dom file://" +
        written.files.front().string());
  }
  example::Place place_;
  std::string problem_;
  std::size_t charts_ = 0;
};

TEST_F(Browser, DrawsEveryChartWithoutAnError) {
  example::write(place_ / "run");
  const std::string page = open(place_ / "run");
  if (problem_.find("not installed") != std::string::npos) GTEST_SKIP() << problem_;
  EXPECT_EQ(problem_, "");
  EXPECT_THAT(page, Not(HasSubstr("CONSOLE")));
  EXPECT_EQ(count(page, "class=\"drawing drawn\""), charts_);
  EXPECT_GT(charts_, 2u);
}

TEST_F(Browser, RunsNothingThatADossierSays) {
  hostile::write(place_ / "run");
  const std::string page = open(place_ / "run");
  if (problem_.find("not installed") != std::string::npos) GTEST_SKIP() << problem_;
  EXPECT_EQ(problem_, "");
  EXPECT_THAT(page, Not(HasSubstr("CONSOLE")));
  EXPECT_THAT(page, Not(HasSubstr("<img src=\"x\"")));
  EXPECT_EQ(count(page, "class=\"drawing drawn\""), charts_);
}

}  // namespace
}  // namespace etalon::report
