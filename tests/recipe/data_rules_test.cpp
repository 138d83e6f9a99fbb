// SPDX-License-Identifier: Apache-2.0
// Keys of data and target that contradict each other, or name files that are not there.
#include <gmock/gmock.h>

#include <fstream>

#include "recipe/helpers.h"
#include "temporary_folder.h"

namespace etalon::recipe {
namespace {

using ::testing::HasSubstr;

std::string refusal(std::initializer_list<std::string_view> assignments) {
  return error_of([&] { resolve_text(least_recipe, set(assignments)); });
}

Recipe accepted(std::initializer_list<std::string_view> assignments) {
  return resolve_text(least_recipe, set(assignments)).recipe;
}

TEST(DataRules, WantTheFilesThatAreNamed) {
  EXPECT_THAT(refusal({"data.source=markov:/absent"}), HasSubstr("there is no such file"));
  EXPECT_THAT(refusal({"data.tokenizer=gpt2:/absent"}), HasSubstr("data.tokenizer = \"gpt2:/absent\""));
  EXPECT_THAT(refusal({"data.tokenizer=sentencepiece:/absent"}), HasSubstr("counts from the working directory"));
  EXPECT_EQ(accepted({"data.source=tokens:shards/*.bin"}).data.source, "tokens:shards/*.bin");
  EXPECT_EQ(accepted({"data.source=markov"}).data.source, "markov");
}

TEST(DataRules, WantATextForATokenizer) {
  const TemporaryFolder folder;
  std::ofstream(folder / "merges") << "a b\n";
  const std::string tokenizer = "data.tokenizer=gpt2:" + (folder / "merges").string();
  EXPECT_EQ(accepted({tokenizer}).data.source, "torch-source");
  EXPECT_THAT(refusal({tokenizer, "data.source=synthetic"}), HasSubstr("is no text"));
}

TEST(TargetRules, WantEvaluationsAndARunThatGoesOn) {
  EXPECT_THAT(refusal({"target.loss=3.2"}), HasSubstr("give evaluation.sequences and evaluation.every_steps"));
  EXPECT_THAT(refusal({"target.loss=3.2", "evaluation.sequences=8"}), HasSubstr("set measure.until to \"target\""));
  EXPECT_THAT(refusal({"measure.until=target"}), HasSubstr("give target.loss"));
  EXPECT_EQ(accepted({"target.loss=3.2", "evaluation.sequences=8", "measure.until=target"}).target.loss, 3.2);
  EXPECT_EQ(accepted({"target.loss=3", "evaluation.sequences=8", "measure.until=training"}).target.loss, 3.0);
}

}  // namespace
}  // namespace etalon::recipe
