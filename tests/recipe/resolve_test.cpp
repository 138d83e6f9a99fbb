// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>

#include "base/file.h"
#include "recipe/find.h"
#include "recipe/helpers.h"
#include "recipe/key.h"
#include "recipe/profiles.h"
#include "temporary_folder.h"

namespace etalon::recipe {
namespace {

std::string origin(const ResolvedRecipe& resolved, const std::string& key) {
  const Origin& found = resolved.origins.at(key);
  return found.place.empty() ? found.kind : found.kind + " " + found.place;
}

TEST(ResolveRecipe, FillsEveryKeyAndSaysWhoGaveIt) {
  const ResolvedRecipe resolved = resolve_text(least_recipe);
  EXPECT_EQ(resolved.origins.size(), keys().size());
  EXPECT_EQ(resolved.recipe.training.micro_batch, 8);
  EXPECT_EQ(origin(resolved, "training.micro_batch"), "recipe trial.toml:7");
  EXPECT_EQ(resolved.recipe.training.optimizer.betas, (std::vector<double>{0.9, 0.95}));
  EXPECT_EQ(origin(resolved, "training.optimizer.betas"), "built-in");
  EXPECT_EQ(resolved.recipe.measure.profile, "quick");
  EXPECT_EQ(resolved.recipe.measure.window_seconds, 60);
  EXPECT_EQ(origin(resolved, "measure.window_seconds"), "profile quick");
  EXPECT_EQ(resolved.recipe.engine.device, "cpu");
  EXPECT_EQ(origin(resolved, "engine.device"), "machine no NVIDIA GPU is usable");
  EXPECT_EQ(resolved.recipe.launch.gpus, 0);
}

TEST(ResolveRecipe, LetsTheCommandLineWinOverRecipeConfigurationProfileAndBuiltIn) {
  const auto configuration =
      std::map<std::string, WrittenValue>{{"measure.window_seconds", {30.0, {"configuration", "config.toml:9"}}}};
  EXPECT_EQ(resolve_text(least_recipe).recipe.measure.window_seconds, 60);
  EXPECT_EQ(resolve_text(least_recipe, {}, configuration).recipe.measure.window_seconds, 30);
  EXPECT_EQ(origin(resolve_text(least_recipe, {}, configuration), "measure.window_seconds"),
            "configuration config.toml:9");
  const std::string recipe = least_recipe + "[measure]\nwindow_seconds = 40\n";
  EXPECT_EQ(resolve_text(recipe, {}, configuration).recipe.measure.window_seconds, 40);
  EXPECT_EQ(resolve_text(recipe, set({"measure.window_seconds=50"}), configuration).recipe.measure.window_seconds, 50);
  EXPECT_EQ(origin(resolve_text(recipe, set({"measure.window_seconds=50"}), configuration), "measure.window_seconds"),
            "command line --set");
}

TEST(ResolveRecipe, ChoosesTheProfileByTheSamePrecedence) {
  const auto configuration =
      std::map<std::string, WrittenValue>{{"measure.profile", {"smoke", {"configuration", "config.toml:2"}}}};
  EXPECT_EQ(resolve_text(least_recipe, {}, configuration).recipe.measure.cap_seconds, 120);
  EXPECT_EQ(resolve_text(least_recipe, set({"measure.profile=quick"}), configuration).recipe.measure.cap_seconds, 600);
  EXPECT_EQ(origin(resolve_text(least_recipe, set({"measure.profile=smoke"})), "measure.cap_seconds"), "profile smoke");
}

TEST(ResolveRecipe, LetsAProfileOfTheCommandLineOutrankTheRecipesThresholds) {
  const std::string recipe = least_recipe + "[measure]\nwarmup_seconds = 20\nuntil = \"training\"\n";
  EXPECT_EQ(resolve_text(recipe).recipe.measure.warmup_seconds, 20);
  const ResolvedRecipe smoke = resolve_text(recipe, set({"measure.profile=smoke"}));
  EXPECT_EQ(smoke.recipe.measure.warmup_seconds, 2);
  EXPECT_EQ(smoke.recipe.measure.until, "window");
  EXPECT_EQ(origin(smoke, "measure.warmup_seconds"), "profile smoke");
  EXPECT_EQ(
      resolve_text(recipe, set({"measure.profile=smoke", "measure.warmup_seconds=1"})).recipe.measure.warmup_seconds,
      1);
}

TEST(ResolveRecipe, KeepsSmokeToSeconds) {
  const Measure measure = resolve_text(least_recipe, set({"measure.profile=smoke"})).recipe.measure;
  EXPECT_EQ(measure.launches, 1);
  EXPECT_EQ(measure.warmup_seconds, 2);
  EXPECT_EQ(measure.window_seconds, 3);
  EXPECT_EQ(measure.cap_seconds, 120);
}

TEST(ResolveRecipe, TakesTheGpuOfTheMachineUnlessTheRecipeDecides) {
  const ResolvedRecipe on_gpu = resolve_text(least_recipe, {}, {}, 2);
  EXPECT_EQ(on_gpu.recipe.engine.device, "cuda");
  EXPECT_EQ(on_gpu.recipe.launch.gpus, 1);
  EXPECT_EQ(origin(on_gpu, "engine.device"), "machine 2 NVIDIA GPUs are usable");
  EXPECT_EQ(origin(on_gpu, "launch.gpus"), "machine 2 NVIDIA GPUs are usable");
  const ResolvedRecipe on_cpu = resolve_text(least_recipe, set({"engine.device=cpu"}), {}, 2);
  EXPECT_EQ(on_cpu.recipe.launch.gpus, 0);
  EXPECT_EQ(origin(on_cpu, "launch.gpus"), "machine engine.device = \"cpu\"");
  EXPECT_EQ(resolve_text(least_recipe, set({"launch.gpus=1"}), {}, 0).recipe.engine.device, "cuda");
  EXPECT_EQ(origin(resolve_text(least_recipe, set({"engine.device=auto"}), {}, 1), "engine.device"),
            "machine 1 NVIDIA GPU is usable; auto asked by --set");
}

TEST(ResolveRecipe, ListsAllThatIsMissing) {
  EXPECT_EQ(resolve_error_of("schema = 1\nworkload = { family = \"llm\", model = \"nano\", context = 128 "
                             "}\ntraining.precision = \"fp32\"\n"),
            "recipe trial: it lacks training.micro_batch, training.optimizer.lr, training.schedule.total_steps → "
            "training.micro_batch must be an integer "
            "from 1 to 1,048,576 (sequences per GPU (or CPU process) and micro-step); write it in the recipe or give "
            "it by --set");
}

TEST(ResolveRecipe, RefusesAWindowThatDoesNotFitTheCap) {
  EXPECT_EQ(resolve_error_of(least_recipe, {"measure.cap_seconds=100"}),
            "recipe trial: measure.warmup_seconds = 60.0 (profile quick) and measure.window_seconds = 60.0 (profile "
            "quick) do not fit into "
            "measure.cap_seconds = 100.0 (command line --set) → raise measure.cap_seconds, or shorten the others");
  EXPECT_EQ(resolve_text(least_recipe, set({"measure.cap_seconds=120"})).recipe.measure.cap_seconds, 120);
}

TEST(ResolveRecipe, RefusesKeysThatContradictEachOther) {
  EXPECT_TRUE(resolve_error_of(least_recipe, {"training.schedule.warmup_steps=1601"})
                  .starts_with("recipe trial: training.schedule.warmup_steps = 1601 (command line --set) exceeds "
                               "training.schedule.total_steps = 1600 (recipe "
                               "trial.toml:10) →"));
  EXPECT_TRUE(resolve_error_of(least_recipe, {"engine.device=cpu", "launch.gpus=1"})
                  .starts_with("recipe trial: engine.device = \"cpu\" (command line --set) does not go with "
                               "launch.gpus = 1 (command line --set)"));
  EXPECT_TRUE(resolve_error_of(least_recipe, {"engine.device=cuda", "launch.gpus=0"})
                  .ends_with("→ give launch.gpus = 1, or leave it out"));
  EXPECT_TRUE(resolve_error_of(least_recipe, {"launch.gpus=2"}).ends_with("→ use launch.gpus = 1"));
  EXPECT_TRUE(
      resolve_error_of(least_recipe, {"training.precision=tf32"}).find("does not go with engine.device = \"cpu\"") !=
      std::string::npos);
  EXPECT_TRUE(resolve_error_of(least_recipe, {"measure.window_seconds=1", "measure.telemetry_interval_seconds=2"})
                  .find("is longer than") != std::string::npos);
  EXPECT_TRUE(resolve_error_of(least_recipe, {"training.micro_batch=1048576", "workload.context=1048576",
                                              "training.accumulation=1048576"})
                  .find("more tokens than can be counted exactly") != std::string::npos);
}

TEST(ResolveRecipe, WantsTheTextFileToExist) {
  const TemporaryFolder folder;
  const std::string assignment = "data.source=text:" + (folder / "book.txt").string();
  EXPECT_TRUE(resolve_error_of(least_recipe, {assignment})
                  .find(": there is no such file → the path counts from the working directory") != std::string::npos);
  std::ofstream(folder / "book.txt") << "words";
  EXPECT_TRUE(resolve_text(least_recipe, set({assignment})).recipe.data.source.ends_with("book.txt"));
}

TEST(ResolveRecipe, ChecksWhatIsHandedToItUnparsed) {
  const auto unknown = std::map<std::string, WrittenValue>{{"nonsense", {1, {"configuration", "config.toml:3"}}}};
  EXPECT_TRUE(error_of([&] {
                resolve_text(least_recipe, {}, unknown);
              }).starts_with("config.toml:3: there is no key nonsense"));
  const auto mistyped =
      std::map<std::string, WrittenValue>{{"measure.profile", {7, {"configuration", "config.toml:3"}}}};
  EXPECT_TRUE(error_of([&] {
                resolve_text(least_recipe, {}, mistyped);
              }).starts_with("config.toml:3: measure.profile must be one of smoke, quick, not 7"));
}

TEST(Profiles, GiveEveryKeyThatIsLeftToThemAndNothingElse) {
  for (const Profile& profile : profiles()) {
    std::size_t left = 0;
    for (const Key& key : keys()) left += key.supplier == Supplier::profile ? 1 : 0;
    EXPECT_EQ(profile.values.size(), left) << profile.name;
    for (const auto& [name, value] : profile.values) {
      const Key* key = find_key(name);
      ASSERT_NE(key, nullptr) << name;
      EXPECT_EQ(key->supplier, Supplier::profile) << name;
      EXPECT_EQ(checked(*key, value, profile.name), value) << name;
    }
  }
}

TEST(Keys, HaveBuiltInValuesThatTheyAcceptThemselves) {
  for (const Key& key : keys()) {
    EXPECT_FALSE(key.meaning.empty()) << key.name;
    if (key.supplier != Supplier::built_in) continue;
    EXPECT_EQ(checked(key, key.built_in, "built-in"), key.built_in) << key.name;
  }
}

TEST(CheckedInRecipes, AllParseAndResolve) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(ETALON_SOURCE_ROOT) / "recipes")) {
    const RequestedRecipe requested = load(entry.path().string());
    EXPECT_EQ(requested.text.front(), '#') << entry.path() << " does not open with what it is for";
    EXPECT_NE(requested.text.find("# Hardware, date, result:"), std::string::npos) << entry.path();
    EXPECT_FALSE(requested.values.at("title").value.get<std::string>().empty()) << entry.path();
    for (const int gpus : {0, 1})
      EXPECT_EQ(resolve(requested, {}, {}, machine_with(gpus)).name, entry.path().stem()) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 2u);
}

TEST(CheckedInRecipes, NanoIsTheRunThatItsTitleSays) {
  const Recipe recipe =
      resolve(load(std::string(ETALON_SOURCE_ROOT) + "/recipes/nano.toml"), {}, {}, machine_with(1)).recipe;
  EXPECT_EQ(recipe.engine.device, "cpu");
  EXPECT_EQ(recipe.workload.context, 128);
  EXPECT_EQ(recipe.training.micro_batch, 8);
  EXPECT_EQ(recipe.training.precision, "fp32");
  EXPECT_EQ(recipe.training.optimizer.learning_rate, 3e-3);
  EXPECT_EQ(recipe.training.optimizer.betas, (std::vector<double>{0.9, 0.95}));
  EXPECT_EQ(recipe.training.optimizer.weight_decay, 0.1);
  EXPECT_EQ(recipe.training.optimizer.clip, 1);
  EXPECT_EQ(recipe.training.schedule.warmup_steps, 60);
  EXPECT_EQ(recipe.training.schedule.total_steps, 1600);
  EXPECT_EQ(recipe.training.schedule.final_fraction, 0.1);
  EXPECT_EQ(recipe.data.source, "torch-source");
  EXPECT_EQ(recipe.measure.profile, "quick");
  EXPECT_EQ(recipe.measure.warmup_seconds, 20);
  EXPECT_EQ(recipe.measure.window_seconds, 60);
  EXPECT_EQ(recipe.measure.until, "training");
}

}  // namespace
}  // namespace etalon::recipe
