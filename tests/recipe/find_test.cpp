// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "recipe/find.h"
#include "recipe/helpers.h"
#include "temporary_folder.h"

namespace etalon::recipe {
namespace {

/// Sets a variable for one test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = ::getenv(name); before != nullptr) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_)
      ::setenv(name_, before_->c_str(), 1);
    else
      ::unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

class FindRecipe : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  Variable config_{"XDG_CONFIG_HOME", folder_.path().string()};
  Variable recipes_{"ETALON_RECIPES", (folder_ / "first").string() + "::" + (folder_ / "second").string()};
  Variable output_{"ETALON_OUTPUT", ""};
  Variable recipe_{"ETALON_RECIPE", ""};
  Variable worker_{"ETALON_WORKER", ""};
  Variable identify_{"ETALON_IDENTIFY", ""};

  std::string configuration_error(const std::string& text) {
    write(folder_ / "etalon" / "config.toml", text);
    std::string message = error_of([] { load_configuration(); });
    const std::string folder = (folder_ / "etalon").string() + "/";
    if (const std::size_t at = message.find(folder); at != std::string::npos) message.erase(at, folder.size());
    return message;
  }
};

TEST_F(FindRecipe, LooksInTheListedFoldersFirstAndInTheUsersLater) {
  const auto folders = recipe_folders();
  ASSERT_GE(folders.size(), 4u);
  EXPECT_EQ(folders[0], folder_ / "first");
  EXPECT_EQ(folders[1], folder_ / "second");
  const auto user = std::find(folders.begin(), folders.end(), folder_ / "etalon" / "recipes");
  ASSERT_NE(user, folders.end());
  EXPECT_EQ(user + 1, folders.end() - 1);
  EXPECT_TRUE(folders.back().string().ends_with("share/etalon/recipes"));
}

TEST_F(FindRecipe, LetsAnEarlierFolderHideALaterOne) {
  write(folder_ / "second" / "mine.toml", "title = \"second\"");
  write(folder_ / "etalon" / "recipes" / "mine.toml", "title = \"user\"");
  EXPECT_EQ(load("mine").values.at("title").value, "second");
  write(folder_ / "first" / "mine.toml", "title = \"first\"");
  EXPECT_EQ(load("mine").values.at("title").value, "first");
  EXPECT_EQ(load("mine").name, "mine");
  EXPECT_EQ(load("mine").values.at("title").origin.place, "mine.toml:1");
}

TEST_F(FindRecipe, ListsTitlesAndSaysWhatCannotBeRead) {
  write(folder_ / "first" / "good.toml", "title = \"A title\"");
  write(folder_ / "first" / "bad.toml", "title = ");
  write(folder_ / "first" / "note.txt", "no recipe");
  std::map<std::string, std::string> titles;
  for (const FoundRecipe& recipe : list_recipes()) titles[recipe.name] = recipe.title;
  EXPECT_EQ(titles.at("good"), "A title");
  EXPECT_TRUE(titles.at("bad").starts_with("(unreadable: "));
  EXPECT_EQ(titles.count("note"), 0u);
}

TEST_F(FindRecipe, NamesTheNearestRecipeWhenThereIsNone) {
  write(folder_ / "first" / "tinyllama-9b.toml", "");
  const std::string error = error_of([] { load("tinylama-9b"); });
  EXPECT_TRUE(error.starts_with("there is no recipe \"tinylama-9b\" in " + (folder_ / "first").string() + ", "))
      << error;
  EXPECT_NE(error.find("→ did you mean tinyllama-9b? `etalon list recipes` shows all"), std::string::npos) << error;
}

TEST_F(FindRecipe, TakesAPathAsAPath) {
  write(folder_ / "elsewhere" / "one.toml", "title = \"by path\"");
  EXPECT_EQ(load((folder_ / "elsewhere" / "one.toml").string()).values.at("title").value, "by path");
  EXPECT_NE(error_of([&] { load((folder_ / "none.toml").string()); }).find("none.toml"), std::string::npos);
}

TEST_F(FindRecipe, HasDefaultsWithoutAConfiguration) {
  const Configuration configuration = load_configuration();
  EXPECT_FALSE(configuration.file);
  EXPECT_EQ(configuration.output_folder, "dossiers");
  EXPECT_FALSE(configuration.default_recipe);
  EXPECT_FALSE(configuration.worker);
  EXPECT_FALSE(configuration.identify);
  EXPECT_TRUE(configuration.recipe_values.empty());
}

TEST_F(FindRecipe, ReadsTheConfigurationAndLetsVariablesWin) {
  const Variable home("HOME", "/home/somebody");
  write(folder_ / "etalon" / "config.toml",
        "output = \"~/measured\"\ndefault_recipe = \"nano\"\nidentify = true\n\n[recipe]\nengine.threads = "
        "3\n[recipe.measure]\nprofile = \"smoke\"\n");
  Configuration configuration = load_configuration();
  EXPECT_EQ(configuration.file, folder_ / "etalon" / "config.toml");
  EXPECT_EQ(configuration.output_folder, "/home/somebody/measured");
  EXPECT_EQ(configuration.default_recipe, "nano");
  EXPECT_TRUE(configuration.identify);
  EXPECT_EQ(configuration.recipe_values.at("engine.threads").value, 3);
  EXPECT_EQ(configuration.recipe_values.at("engine.threads").origin.kind, "configuration");
  EXPECT_EQ(configuration.recipe_values.at("measure.profile").origin.place, "config.toml:8");

  const Variable output("ETALON_OUTPUT", "here");
  const Variable recipe("ETALON_RECIPE", "llm-125m");
  const Variable worker("ETALON_WORKER", "/opt/etalon-torch");
  const Variable identify("ETALON_IDENTIFY", "0");
  configuration = load_configuration();
  EXPECT_EQ(configuration.output_folder, "here");
  EXPECT_EQ(configuration.default_recipe, "llm-125m");
  EXPECT_EQ(configuration.worker, "/opt/etalon-torch");
  EXPECT_FALSE(configuration.identify);
}

TEST_F(FindRecipe, SaysWhatIsWrongInTheConfiguration) {
  EXPECT_EQ(configuration_error("\nouput = \"x\""),
            "config.toml:2: there is no setting ouput → did you mean output? the settings are recipe, output, "
            "default_recipe, worker, identify");
  EXPECT_EQ(configuration_error("identify = \"yes\""),
            "config.toml:1: identify must be true or false → identify: keep host and user names in dossiers "
            "instead of pseudonyms");
  EXPECT_TRUE(configuration_error("output = 3").starts_with("config.toml:1: output must be a text in quotes"));
  EXPECT_EQ(configuration_error("recipe = \"nano\""),
            "config.toml:1: recipe must be a table of recipe keys → to choose the recipe of a plain `run`, write "
            "default_recipe = \"…\"");
  EXPECT_TRUE(configuration_error("[recipe]\nengine.thread = 3")
                  .starts_with("config.toml:2: there is no key engine.thread → did you mean engine.threads?"));
  EXPECT_TRUE(configuration_error("[recipe.training]\nmicro_batch = 0")
                  .starts_with("config.toml:2: training.micro_batch must be"));
  EXPECT_TRUE(configuration_error("output = ").starts_with("config.toml:1:"));
}

TEST_F(FindRecipe, RefusesASwitchThatIsNeitherOnNorOff) {
  const Variable identify("ETALON_IDENTIFY", "maybe");
  EXPECT_TRUE(error_of([] {
                load_configuration();
              }).starts_with("environment: ETALON_IDENTIFY must be 1, 0, true or false, not \"maybe\""));
}

}  // namespace
}  // namespace etalon::recipe
