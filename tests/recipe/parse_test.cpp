// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <locale>

#include "recipe/helpers.h"

namespace etalon::recipe {
namespace {

TEST(ParseRecipe, KeepsTheTextByteForByteAndTheLineOfEveryValue) {
  const std::string text =
      "schema = 1\r\n# a remark\n[training]\n\tmicro_batch = 8\nschedule = { total_steps = 5,\twarmup_steps = 1 }\n";
  const RequestedRecipe requested = parse(text, "trial", "recipes/trial.toml");
  EXPECT_EQ(requested.name, "trial");
  EXPECT_EQ(requested.text, text);
  ASSERT_EQ(requested.values.size(), 4u);
  EXPECT_EQ(requested.values.at("schema").origin.place, "trial.toml:1");
  EXPECT_EQ(requested.values.at("training.micro_batch").value, 8);
  EXPECT_EQ(requested.values.at("training.micro_batch").origin.kind, "recipe");
  EXPECT_EQ(requested.values.at("training.micro_batch").origin.place, "trial.toml:4");
  EXPECT_EQ(requested.values.at("training.schedule.warmup_steps").origin.place, "trial.toml:5");
}

TEST(ParseRecipe, ReadsInlineTablesHeadersAndDottedKeysAlike) {
  for (const std::string text : {"training = { optimizer = { lr = 3e-3, betas = [0.9, 0.95] } }",
                                 "[training.optimizer]\nlr = 3e-3\nbetas = [0.9, 0.95]",
                                 "training.optimizer.lr = 3e-3\ntraining.optimizer.betas = [0.9, 0.95]"}) {
    const RequestedRecipe requested = parse(text, "trial", "trial.toml");
    ASSERT_EQ(requested.values.size(), 2u) << text;
    EXPECT_EQ(requested.values.at("training.optimizer.lr").value, 0.003) << text;
    EXPECT_EQ(requested.values.at("training.optimizer.betas").value, base::Json::array({0.9, 0.95})) << text;
  }
}

TEST(ParseRecipe, TakesAnIntegerForANumberAndMakesItOne) {
  const RequestedRecipe requested = parse("measure.warmup_seconds = 20", "trial", "trial.toml");
  EXPECT_TRUE(requested.values.at("measure.warmup_seconds").value.is_number_float());
}

TEST(ParseRecipe, NamesFileLineAndNearestKeyForAnUnknownOne) {
  EXPECT_EQ(parse_error_of("schema = 1\n[training]\nmicro_bach = 4"),
            "recipes/trial.toml:3: there is no key training.micro_bach → did you mean training.micro_batch? `etalon "
            "list keys` shows every key");
}

TEST(ParseRecipe, FindsTheKeyThatStandsInTheWrongTable) {
  EXPECT_EQ(parse_error_of("micro_batch = 4"),
            "recipes/trial.toml:1: there is no key micro_batch → did you mean training.micro_batch? `etalon list keys` "
            "shows every key");
}

TEST(ParseRecipe, ReportsTheFirstErrorOfTheFile) {
  EXPECT_TRUE(parse_error_of("[workload]\nzebra = 1\n[data]\napple = 1")
                  .starts_with("recipes/trial.toml:2: there is no key workload.zebra"));
}

TEST(ParseRecipe, RefusesAnUnknownTableEvenWhenItIsEmpty) {
  EXPECT_EQ(parse_error_of("[engines]"),
            "recipes/trial.toml:1: there is no key engines → `etalon list keys` shows every key");
}

TEST(ParseRecipe, DoesNotTakeAQuotedDotForAPath) {
  EXPECT_TRUE(parse_error_of("\"training.micro_batch\" = 4")
                  .starts_with("recipes/trial.toml:1: there is no key \"training.micro_batch\""));
}

TEST(ParseRecipe, SaysWhatAKeyTakesWhenTheTypeIsWrong) {
  EXPECT_EQ(parse_error_of("training.micro_batch = \"8\""),
            "recipes/trial.toml:1: training.micro_batch must be an integer from 1 to 1,048,576, not \"8\" → "
            "training.micro_batch: sequences per "
            "GPU (or CPU process) and micro-step; `etalon list keys` shows every key");
  EXPECT_TRUE(parse_error_of("training.micro_batch = 8.0").find("must be an integer from 1 to 1,048,576, not 8.0 →") !=
              std::string::npos);
  EXPECT_TRUE(parse_error_of("title = 8").find("title must be a text, not 8 →") != std::string::npos);
  EXPECT_TRUE(parse_error_of("title = 1979-05-27").find("title must be a text, not a value of another kind →") !=
              std::string::npos);
  EXPECT_TRUE(parse_error_of("training.optimizer.betas = [0.9]")
                  .find("must be a list of 2 numbers of at least 0 and below 1, not [0.9] →") != std::string::npos);
  EXPECT_TRUE(parse_error_of("training.optimizer.betas = [0.9, \"b\"]").find("not [0.9, \"b\"] →") !=
              std::string::npos);
}

TEST(ParseRecipe, RefusesATableWhereAValueBelongsAndTheReverse) {
  EXPECT_EQ(parse_error_of("training.micro_batch = { a = 1 }"),
            "recipes/trial.toml:1: training.micro_batch must be an integer from 1 to 1,048,576, not a table → "
            "training.micro_batch: sequences per GPU (or CPU "
            "process) and micro-step");
  EXPECT_EQ(parse_error_of("power = 3"), "recipes/trial.toml:1: power is a table, not a value → it holds power.meters");
  EXPECT_EQ(parse_error_of("[[power]]\nmeters = []"),
            "recipes/trial.toml:1: power is a table, not a value → it holds power.meters");
}

TEST(ParseRecipe, RefusesWhatIsOutOfRange) {
  EXPECT_TRUE(parse_error_of("schema = 2").find("schema must be an integer equal to 1, not 2") != std::string::npos);
  EXPECT_TRUE(
      parse_error_of("training.optimizer.lr = 0.0").find("must be a number above 0 and at most 1,000, not 0.0") !=
      std::string::npos);
  EXPECT_TRUE(parse_error_of("training.optimizer.lr = nan").find("not nan") != std::string::npos);
  EXPECT_TRUE(parse_error_of("training.optimizer.clip = inf").find("must be a number of at least 0, not inf") !=
              std::string::npos);
  EXPECT_TRUE(
      parse_error_of("measure.confidence = 1.0").find("must be a number of at least 0.5 and below 1, not 1.0") !=
      std::string::npos);
}

TEST(ParseRecipe, TellsWhatThisVersionLacksFromWhatNobodyKnows) {
  EXPECT_EQ(parse_error_of("training.precision = \"fp4\""),
            "recipes/trial.toml:1: training.precision = \"fp4\" is known to étalon, but this version does not have it: "
            "PyTorch has no FP4 product with gradients → this version has: fp32, tf32, bf16-autocast, fp16-autocast, "
            "bf16, fp8");
  EXPECT_EQ(parse_error_of("measure.profile = \"publish\""),
            "recipes/trial.toml:1: measure.profile = \"publish\" is known to étalon, but this version does not have "
            "it: its thermal gate is not part of "
            "this version → this version has: smoke, quick");
  EXPECT_TRUE(parse_error_of("training.precision = \"fp33\"")
                  .find("must be one of fp32, tf32, bf16-autocast, fp16-autocast, bf16, fp8, not \"fp33\" → did you "
                        "mean \"fp32\"? training.precision: ") != std::string::npos);
  EXPECT_TRUE(parse_error_of("training.method = \"zebra\"")
                  .find("training.method must be one of full, lora, qlora, not \"zebra\"") != std::string::npos);
  EXPECT_TRUE(parse_error_of("power.meters = [\"shelly:192.0.2.7\"]")
                  .ends_with("this version does not have it → leave power.meters out"));
  EXPECT_TRUE(parse_error_of("data.source = \"latents:here\"").find("is known to étalon") != std::string::npos);
  EXPECT_TRUE(
      parse_error_of("data.source = \"text:\"")
          .find("must be one of torch-source, text:FILE, tokens:PATH, markov, markov:FILE, synthetic, not \"text:\"") !=
      std::string::npos);
}

TEST(ParseRecipe, NamesLineAndColumnWhereTomlEnds) {
  EXPECT_TRUE(parse_error_of("schema = 1\ntitle = \"open").starts_with("recipes/trial.toml:2:"));
  EXPECT_TRUE(parse_error_of("a = 1\na = 2").find("not valid TOML") != std::string::npos);
  EXPECT_TRUE(parse_error_of("title = \"\xff\"").find("not valid TOML") != std::string::npos);
}

TEST(ParseRecipe, SurvivesWhatTheLibraryOnlyAsserts) {
  EXPECT_EQ(parse_error_of("schema = 1\n[\ntitle = \"a\"\n[data]\n"),
            "recipes/trial.toml:2:1: not valid TOML: a key or value was expected → mend that line; docs/recipes.md "
            "shows how a recipe is written");
}

TEST(ParseRecipe, TakesLettersBeyondAsciiInQuotesAndRemarksAlone) {
  for (const std::string text :
       {"title = \"é\" # é", "\xEF\xBB\xBFtitle = 'é'", "title = '''é'é''é'''", "title = '''é''''' # é",
        "title = \"\"\"é\"\"\\\"é\"\"\"\"\" # é", "title = \"\\\\\" # \"é", "title = \"\" # é"})
    EXPECT_EQ(parse(text, "trial", "trial.toml").values.size(), 1u) << text;
  EXPECT_TRUE(parse_error_of("# é\ntitle = \"é\" é")
                  .starts_with("recipes/trial.toml:2:14: not valid TOML: a letter beyond ASCII outside quotes"));
  EXPECT_TRUE(parse_error_of("ŋ = 1").starts_with(
      "recipes/trial.toml:1:1: not valid TOML: a letter beyond ASCII outside quotes"));
  EXPECT_TRUE(parse_error_of("title = \"\"é").starts_with("recipes/trial.toml:1:11: not valid TOML: a letter"));
}

TEST(ParseRecipe, IsBounded) {
  EXPECT_EQ(parse_error_of(std::string((1 << 20) + 1, '\n')),
            "recipes/trial.toml: longer than 1 MiB → is it the right file?");
  std::string deep = "a";
  for (int i = 0; i < 5000; ++i) deep += ".a";
  EXPECT_TRUE(parse_error_of("schema = 1\n" + deep + " = 1")
                  .starts_with("recipes/trial.toml:2:1: not valid TOML: 5000 dots in one line"));
  EXPECT_TRUE(parse_error_of("title = " + std::string(10000, '[')).find("not valid TOML") != std::string::npos);
  EXPECT_TRUE(parse_error_of("title = \"" + std::string(5000, 'x') + "\"").find("title is longer than 4096 bytes") !=
              std::string::npos);
}

TEST(ParseRecipe, KeepsControlCharactersAway) {
  EXPECT_TRUE(parse_error_of("title = \"a\\u001b[31m\"").find("title contains a control character") !=
              std::string::npos);
  EXPECT_EQ(parse_error_of("\"a\\u001b\" = 1").find('\x1b'), std::string::npos);
}

/// Writes 1.5 as "1,5" and 1000 as "1.000".
class Continental : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(ParseRecipe, ReadsAndWritesNumbersTheSameInEveryLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Continental));
  const base::Json value =
      parse("training.optimizer.lr = 0.0015", "trial", "trial.toml").values.at("training.optimizer.lr").value;
  const std::string message = parse_error_of("schema = 1\n\n\ntraining.micro_batch = 1048577");
  std::locale::global(before);
  EXPECT_EQ(value, 0.0015);
  EXPECT_TRUE(message.starts_with(
      "recipes/trial.toml:4: training.micro_batch must be an integer from 1 to 1,048,576, not 1048577 →"))
      << message;
}

TEST(ParseAssignment, TakesTextsBareOrQuoted) {
  const Origin origin{"command line", "--set"};
  EXPECT_EQ(parse_assignment("workload.model=nano", origin).second.value, "nano");
  EXPECT_EQ(parse_assignment(" workload.model = \"nano\" ", origin).second.value, "nano");
  EXPECT_EQ(parse_assignment("workload.model='a b'", origin).second.value, "a b");
  EXPECT_EQ(parse_assignment("title=2026-12-01", origin).second.value, "2026-12-01");
  EXPECT_EQ(parse_assignment("data.source=text:a=b.txt", origin).second.value, "text:a=b.txt");
  EXPECT_EQ(parse_assignment("title=", origin).second.value, "");
}

TEST(ParseAssignment, TakesNumbersAndListsAsToml) {
  const auto [key, written] = parse_assignment("training.micro_batch=4", {"command line", "--set"});
  EXPECT_EQ(key, "training.micro_batch");
  EXPECT_EQ(written.value, 4);
  EXPECT_EQ(written.origin.kind, "command line");
  EXPECT_EQ(written.origin.place, "--set");
  EXPECT_EQ(parse_assignment("training.micro_batch=1_024", {}).second.value, 1024);
  EXPECT_EQ(parse_assignment("training.optimizer.lr=1e-4", {}).second.value, 1e-4);
  EXPECT_EQ(parse_assignment("training.optimizer.betas=[0.8, 0.9]", {}).second.value, base::Json::array({0.8, 0.9}));
  EXPECT_EQ(parse_assignment("power.meters=[]", {}).second.value, base::Json::array());
}

std::string assignment_error(std::string_view assignment) {
  return error_of([&] { parse_assignment(assignment, {"command line", "--set"}); });
}

TEST(ParseAssignment, SaysWhatIsWrong) {
  EXPECT_EQ(assignment_error("training.micro_batch"),
            "--set: \"training.micro_batch\" is not KEY=VALUE → write, for example, --set training.micro_batch=4");
  EXPECT_TRUE(assignment_error("training.micro_batch=four")
                  .starts_with("--set: training.micro_batch must be an integer from 1 to 1,048,576, not four →"));
  EXPECT_TRUE(assignment_error("training.micro_batch=0")
                  .starts_with("--set: training.micro_batch must be an integer from 1 to 1,048,576, not 0 →"));
  EXPECT_TRUE(assignment_error("training.micro_batch=").starts_with("--set: training.micro_batch must be"));
  EXPECT_TRUE(assignment_error("training.micro_batch={a=1}").starts_with("--set: training.micro_batch must be"));
  EXPECT_TRUE(
      assignment_error("training.micro_batch=4\ntitle=\"x\"").starts_with("--set: training.micro_batch must be"));
  EXPECT_TRUE(assignment_error("training.optimizr.lr=1")
                  .starts_with("--set: there is no key training.optimizr.lr → did you mean training.optimizer.lr?"));
  EXPECT_TRUE(assignment_error("training.schedule=1")
                  .starts_with("--set: training.schedule is a table, not a value → it holds training.schedule.name, "));
  EXPECT_TRUE(assignment_error("=1").starts_with("--set: there is no key"));
}

}  // namespace
}  // namespace etalon::recipe
