// SPDX-License-Identifier: Apache-2.0
// Which program is started for a recipe, with which environment, and what is refused.
#include "launch/worker_command.h"

#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>

#include "base/error.h"
#include "temporary_folder.h"

namespace etalon::launch {
namespace {

using ::testing::HasSubstr;

recipe::Recipe native_recipe() {
  recipe::Recipe recipe;
  recipe.engine.name = "native";
  recipe.launch.launcher = "local";
  return recipe;
}

std::string value_of(const Command& command, const std::string& name) {
  const auto found = std::ranges::find_if(command.set, [&name](const auto& pair) { return pair.first == name; });
  return found == command.set.end() ? "not set" : found->second;
}

TEST(WorkerCommand, TheConfiguredWorkerGetsSocketAndRank) {
  const Command command = worker_command(native_recipe(), "/tmp/x.sock", "/bin/sh");
  EXPECT_EQ(command.program, "/bin/sh");
  EXPECT_EQ(value_of(command, "ETALON_SOCKET"), "/tmp/x.sock");
  EXPECT_EQ(value_of(command, "RANK"), "0");
  EXPECT_EQ(value_of(command, "WORLD_SIZE"), "1");
  EXPECT_EQ(value_of(command, "OMP_NUM_THREADS"), "not set");
}

TEST(WorkerCommand, ThreadsOfTheRecipeReachTheLibraries) {
  recipe::Recipe recipe = native_recipe();
  recipe.engine.threads = 3;
  const Command command = worker_command(recipe, "/tmp/x.sock", "/bin/sh");
  EXPECT_EQ(value_of(command, "OMP_NUM_THREADS"), "3");
  EXPECT_EQ(value_of(command, "MKL_NUM_THREADS"), "3");
}

TEST(WorkerCommand, AMissingConfiguredWorkerIsNotReplacedByAnother) {
  EXPECT_THROW(worker_command(native_recipe(), "/tmp/x.sock", "/nowhere/etalon-torch"), base::Error);
}

TEST(WorkerCommand, TheNativeWorkerIsFoundInPath) {
  const TemporaryFolder folder;
  std::ofstream(folder / "etalon-torch") << "#!/bin/sh\n";
  std::filesystem::permissions(folder / "etalon-torch", std::filesystem::perms::owner_all);
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", folder.path().c_str(), 1);
  const std::filesystem::path found = find_native_worker(std::nullopt);
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(found.filename(), "etalon-torch");
}

TEST(WorkerCommand, EnginesThatThisVersionLacksAreRefusedWithTheReason) {
  for (const char* engine : {"eager", "compile", "command", "banana"}) {
    recipe::Recipe recipe = native_recipe();
    recipe.engine.name = engine;
    try {
      worker_command(recipe, "/tmp/x.sock", "/bin/sh");
      ADD_FAILURE() << engine << " was accepted";
    } catch (const base::Error& error) {
      EXPECT_EQ(error.code(), base::ExitCode::usage);
      EXPECT_THAT(error.what(), HasSubstr(engine));
      EXPECT_THAT(error.next_step(), HasSubstr("native"));
    }
  }
}

TEST(WorkerCommand, SeveralGpusAreRefusedRatherThanIgnored) {
  recipe::Recipe recipe = native_recipe();
  recipe.launch.gpus = 4;
  EXPECT_THROW(worker_command(recipe, "/tmp/x.sock", "/bin/sh"), base::Error);
}

}  // namespace
}  // namespace etalon::launch
