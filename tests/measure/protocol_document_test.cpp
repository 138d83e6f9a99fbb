// SPDX-License-Identifier: Apache-2.0
// The example in docs/protocol.md is a worker: it is cut out of the document and measured.
#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>

#include "base/file.h"
#include "launch/program.h"
#include "measure/harness.h"
#include "temporary_folder.h"

namespace etalon::measure {
namespace {

std::string example() {
  const std::string document = base::read_file(std::string(ETALON_SOURCE_ROOT) + "/docs/protocol.md");
  const std::string fence = "```python\n";
  const std::size_t start = document.find(fence) + fence.size();
  return document.substr(start, document.find("```", start) - start);
}

TEST(ProtocolDocument, ItsExampleIsAboutTwentyLines) {
  const std::string text = example();
  EXPECT_LE(std::ranges::count(text, '\n'), 24);
}

TEST(ProtocolDocument, ItsExampleIsMeasuredLikeAnyWorker) {
  const std::filesystem::path python = launch::search_path("python3");
  if (python.empty()) GTEST_SKIP() << "no python3";
  const TemporaryFolder folder;
  std::ofstream(folder / "trainer.py") << example();
  MemoryRecorder recorder;
  recipe::Recipe recipe = short_recipe();
  recipe.measure.half_width = 0.5;
  recipe.measure.drift = 0.5;
  wire::Listener listener("/tmp");
  Session session = session_of(recipe, listener, recorder, python, {(folder / "trainer.py").string()});
  const LaunchOutcome outcome = measure(session);
  EXPECT_EQ(outcome.verdict, Verdict::steady) << outcome.reason << recorder.output;
  EXPECT_EQ(outcome.ending, "exited with status 0");
  EXPECT_TRUE(recorder.output.empty()) << recorder.output;
}

}  // namespace
}  // namespace etalon::measure
