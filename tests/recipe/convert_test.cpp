// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "recipe/helpers.h"
#include "recipe/key.h"

namespace etalon::recipe {
namespace {

TEST(RecipeJson, NestsTheValuesInTheOrderOfTheTable) {
  const base::Json json = to_json(resolve_text(least_recipe).recipe);
  EXPECT_EQ(base::to_line(json["workload"]), R"({"family":"llm","model":"nano","context":128})");
  EXPECT_EQ(
      base::to_line(json["training"]["optimizer"]),
      R"({"name":"adamw","lr":0.003,"betas":[0.9,0.95],"eps":1e-08,"weight_decay":0.1,"momentum":0.9,"clip":1.0})");
  EXPECT_EQ(json.begin().key(), "schema");
}

TEST(RecipeJson, ReadsBackWhatItWrote) {
  const ResolvedRecipe resolved =
      resolve_text(least_recipe, set({"title=a \"quoted\" ü", "training.optimizer.lr=0.1234567890123456",
                                      "training.seed=9007199254740991", "evaluation.sequences=3"}));
  const base::Json json = base::parse_json(base::to_line(to_json(resolved)), "test");
  const ResolvedRecipe again = resolved_from_json(json);
  EXPECT_EQ(again.recipe.training.optimizer.learning_rate, 0.1234567890123456);
  EXPECT_EQ(again.recipe.training.seed, 9007199254740991);
  EXPECT_EQ(again.recipe.title, "a \"quoted\" ü");
  EXPECT_EQ(again.name, "trial");
  EXPECT_EQ(again.origins.at("evaluation.sequences").kind, "command line");
  EXPECT_EQ(to_json(again), to_json(resolved));
  EXPECT_EQ(to_json(from_json(to_json(resolved.recipe))), to_json(resolved.recipe));
}

TEST(RecipeJson, TakesTheBuiltInValueForAKeyThatAnOlderVersionDidNotHave) {
  base::Json older = to_json(resolve_text(least_recipe));
  older["values"]["training"].erase("weights");
  older["values"].erase("target");
  for (const char* name : {"training.weights", "target.loss"}) older["origins"].erase(name);
  const ResolvedRecipe read = resolved_from_json(older);
  EXPECT_EQ(read.recipe.training.weights, "random");
  EXPECT_EQ(read.recipe.target.loss, 0);
  EXPECT_EQ(read.origins.at("target.loss").kind, "built-in");
}

TEST(RecipeJson, RefusesWhatIsNotWhole) {
  const base::Json good = to_json(resolve_text(least_recipe));
  const auto error_after = [&](const std::function<void(base::Json&)>& change) {
    base::Json json = good;
    change(json);
    return error_of([&] { resolved_from_json(json); });
  };
  EXPECT_TRUE(error_after([](auto& json) {
                json["values"]["training"].erase("micro_batch");
              }).starts_with("resolved recipe: it lacks training.micro_batch"));
  EXPECT_TRUE(error_after([](auto& json) {
                json["values"]["training"] = 3;
              }).starts_with("resolved recipe: training is not an object"));
  EXPECT_TRUE(error_after([](auto& json) {
                json["values"]["training"]["micro_batch"] = -1;
              }).starts_with("resolved recipe: training.micro_batch must be an integer from 1 to 1,048,576, not -1"));
  EXPECT_TRUE(error_after([](auto& json) {
                json["values"]["training"]["micro_batch"] = 18446744073709551615u;
              }).starts_with("resolved recipe: training.micro_batch must be"));
  EXPECT_TRUE(error_after([](auto& json) {
                json["values"]["training"]["extra"] = 1;
              }).starts_with("resolved recipe: there is no key training.extra"));
  EXPECT_TRUE(error_after([](auto& json) { json.erase("name"); }).starts_with("resolved recipe: it lacks \"name\""));
  EXPECT_TRUE(error_after([](auto& json) {
                json["origins"].erase("workload.model");
              }).starts_with("resolved recipe: it lacks \"workload.model\""));
  EXPECT_TRUE(error_after([](auto& json) {
                json["origins"]["title"]["kind"] = "guess";
              }).starts_with("resolved recipe: \"guess\" is no kind of origin"));
  EXPECT_TRUE(error_after([](auto& json) {
                json["origins"]["extra"] = json["origins"]["title"];
              }).starts_with("resolved recipe: there is no key extra"));
  EXPECT_TRUE(error_after([](auto& json) {
                json["values"]["engine"]["device"] = "auto";
              }).starts_with("resolved recipe: engine.device is still \"auto\""));
  EXPECT_TRUE(error_after([](auto& json) { json = 7; }).starts_with("resolved recipe: not a JSON object"));
}

}  // namespace
}  // namespace etalon::recipe
