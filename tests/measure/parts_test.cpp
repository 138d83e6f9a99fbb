// SPDX-License-Identifier: Apache-2.0
// The loop's small parts, each with literals: merging of ranks, deadlines, bounded output, clock steps, gate history, verdict names.
#include <gmock/gmock.h>

#include "base/error.h"
#include "measure/clock_watch.h"
#include "measure/deadlines.h"
#include "measure/harness.h"
#include "measure/journal.h"
#include "measure/rank_ledger.h"
#include "measure/step_merger.h"
#include "measure/worker_log.h"

namespace etalon::measure {
namespace {

using ::testing::HasSubstr;

wire::Step step(std::int64_t index, std::int64_t start_ns, std::int64_t end_ns, std::int64_t units = 10) {
  return {index, start_ns, end_ns, std::nullopt, units, std::nullopt};
}

std::vector<MergedStep> merge(StepMerger& merger, int rank, const wire::Step& of_rank) {
  std::vector<MergedStep> merged;
  merger.add(rank, of_rank, [&merged](const MergedStep& whole) { merged.push_back(whole); });
  return merged;
}

TEST(StepMerger, AStepLastsFromTheEndOfTheOneBefore) {
  StepMerger merger(1);
  EXPECT_EQ(merge(merger, 0, step(0, 100, 150)).at(0).duration_ns, 50);
  EXPECT_EQ(merge(merger, 0, step(1, 170, 220)).at(0).duration_ns, 70);
}

TEST(StepMerger, AStepOfAllRanksEndsWithTheLastOfThem) {
  StepMerger merger(2);
  EXPECT_TRUE(merge(merger, 0, step(0, 100, 150)).empty());
  const MergedStep first = merge(merger, 1, step(0, 90, 160)).at(0);
  EXPECT_EQ(first.start_ns, 90);
  EXPECT_EQ(first.end_ns, 160);
  EXPECT_EQ(first.units, 20);
  EXPECT_TRUE(merge(merger, 1, step(1, 160, 200)).empty());
  EXPECT_EQ(merge(merger, 0, step(1, 150, 210)).at(0).duration_ns, 50);
}

TEST(StepMerger, EvaluationsAreTakenOutOnceWhateverTheirOverlap) {
  StepMerger merger(1);
  merge(merger, 0, step(0, 0, 100));
  merger.add(wire::Eval{"a", 1, 110, 130, 1, 1});
  merger.add(wire::Eval{"b", 1, 120, 150, 1, 1});
  merger.add(wire::Eval{"c", 1, 190, 260, 1, 1});
  EXPECT_EQ(merge(merger, 0, step(1, 150, 200)).at(0).duration_ns, 100 - 40 - 10);
  EXPECT_EQ(merge(merger, 0, step(2, 260, 300)).at(0).duration_ns, 100 - 60);
  EXPECT_EQ(merge(merger, 0, step(3, 300, 400)).at(0).duration_ns, 100);
}

TEST(StepMerger, ARankThatRunsAwayIsAFault) {
  StepMerger merger(2);
  const auto run_away = [&merger] {
    for (std::int64_t index = 0; index < 20'000; ++index) merge(merger, 0, step(index, index, index + 1));
  };
  EXPECT_THROW(run_away(), wire::ProtocolError);
}

TEST(RankLedger, EvaluationsMustBeReportedBeforeTheStepThatFollowsThem) {
  RankLedger ledger(1, 0);
  ledger.accept(wire::Hello{}, second);
  ledger.accept(wire::Config{1, "token", 0, 1, {}}, second);
  ledger.accept(step(0, 0, 100), second);
  ledger.accept(wire::Eval{"held-out", 1, 95, 200, 1, 1}, second);
  ledger.accept(step(1, 200, 300), second);
  EXPECT_THROW(ledger.accept(wire::Eval{"held-out", 1, 110, 190, 1, 1}, second), wire::ProtocolError);
}

TEST(RankLedger, UnitsMayDifferWhereConfigSaysSo) {
  RankLedger ledger(1, 0);
  ledger.accept(wire::Hello{}, second);
  ledger.accept(wire::Config{1, "token", 0, 1, {}}, second);
  ledger.accept(step(0, 0, 100, 5), second);
  ledger.accept(step(1, 100, 200, 7), second);
  ledger.accept(wire::Done{2, 12, "finished"}, second);
  EXPECT_EQ(ledger.units(), 12);
  EXPECT_THROW(ledger.accept(wire::Note{"info", "late"}, second), wire::ProtocolError);
}

MergedStep merged(std::int64_t start_ns, std::int64_t end_ns) {
  return {0, start_ns, end_ns, 1, end_ns - start_ns, start_ns};
}

TEST(Deadlines, BeforeTheFirstStepOnlyTheStartCounts) {
  const recipe::Recipe recipe = short_recipe();
  const Deadlines deadlines(recipe, 0, 10);
  EXPECT_FALSE(deadlines.passed(9 * second, 0).has_value());
  EXPECT_THAT(deadlines.passed(11 * second, 11 * second)->what, HasSubstr("no step within 10 s"));
}

TEST(Deadlines, AfterwardsSilenceCounts) {
  const recipe::Recipe recipe = short_recipe();
  Deadlines deadlines(recipe, 0, 10);
  deadlines.add(merged(0, second));
  EXPECT_FALSE(deadlines.passed(100 * second, 98 * second).has_value());
  EXPECT_THAT(deadlines.passed(100 * second, 96 * second)->what, HasSubstr("said nothing for 3 s"));
}

TEST(Deadlines, AfterStopAnotherStepIsOnlyForgivenForAWhile) {
  const recipe::Recipe recipe = short_recipe();
  Deadlines deadlines(recipe, 0, 10);
  deadlines.add(merged(0, second));
  deadlines.stop_ordered(100 * second);
  deadlines.add(merged(105 * second, 106 * second));
  EXPECT_FALSE(deadlines.passed(107 * second, 106 * second).has_value());
  deadlines.add(merged(111 * second, 112 * second));
  EXPECT_THAT(deadlines.passed(112 * second, 112 * second)->what, HasSubstr("began another step"));
}

TEST(Deadlines, AfterStopSlowStepsGetThreeStepsTime) {
  const recipe::Recipe recipe = short_recipe();
  Deadlines deadlines(recipe, 0, 10);
  deadlines.add(merged(0, 60 * second));
  deadlines.stop_ordered(100 * second);
  EXPECT_FALSE(deadlines.passed(250 * second, 100 * second).has_value());
  EXPECT_TRUE(deadlines.passed(281 * second, 100 * second).has_value());
}

TEST(Deadlines, AfterStopAnEvaluationMayTakeTheSilenceDeadline) {
  recipe::Recipe recipe = short_recipe();
  recipe.launch.silence_deadline_seconds = 60;
  Deadlines deadlines(recipe, 0, 10);
  deadlines.add(merged(0, second));
  deadlines.stop_ordered(100 * second);
  EXPECT_TRUE(deadlines.passed(111 * second, 100 * second).has_value());
  deadlines.add(wire::Phase{"eval", 0});
  EXPECT_FALSE(deadlines.passed(150 * second, 100 * second).has_value());
  EXPECT_TRUE(deadlines.passed(161 * second, 100 * second).has_value());
}

TEST(WorkerLog, AShortOutputIsKeptWhole) {
  MemoryRecorder recorder;
  WorkerLog log(recorder, 100, 10);
  log.add("hello\n");
  log.add("world\n");
  log.finish();
  EXPECT_EQ(recorder.output, "hello\nworld\n");
  EXPECT_EQ(log.last_words(), "world");
}

TEST(WorkerLog, OfALongOutputBothEndsAreKeptAndTheRestIsCounted) {
  MemoryRecorder recorder;
  WorkerLog log(recorder, 10, 5);
  for (int index = 0; index < 100; ++index) log.add("0123456789");
  log.finish();
  EXPECT_EQ(recorder.output, "0123456789\n[étalon: 985 bytes of output left out here]\n56789");
}

TEST(WorkerLog, OneByteMoreThanTheHeadIsStillKeptWhole) {
  MemoryRecorder recorder;
  WorkerLog log(recorder, 10, 5);
  log.add("0123456789a");
  log.finish();
  EXPECT_EQ(recorder.output, "0123456789a");
}

TEST(ClockWatch, ReportsAStepOnceAndIgnoresSlewing) {
  ClockWatch watch(1000 * second);
  EXPECT_FALSE(watch.stepped(1000 * second + second / 2).has_value());
  EXPECT_EQ(watch.stepped(997 * second), -3.0);
  EXPECT_FALSE(watch.stepped(997 * second).has_value());
}

TEST(Journal, RecordsGatesWhenOneMovesAndEveryFiveSeconds) {
  MemoryRecorder recorder;
  Journal journal(recorder);
  std::vector<GateState> states{{"drift", false, 0.1, 0.01, "relative", "x"}};
  journal.gates(states, 10 * second);
  journal.gates(states, 11 * second);
  EXPECT_EQ(recorder.events.size(), 1U);
  states[0].open = true;
  journal.gates(states, 12 * second);
  EXPECT_EQ(recorder.events.size(), 2U);
  journal.gates(states, 17 * second);
  EXPECT_EQ(recorder.events.size(), 3U);
  EXPECT_EQ(recorder.events.back().from, "controller");
}

TEST(Verdict, EveryNameIsReadBack) {
  for (const Verdict verdict :
       {Verdict::steady, Verdict::drifting, Verdict::no_steady_state, Verdict::throttled, Verdict::ungated,
        Verdict::interrupted, Verdict::refused, Verdict::failed, Verdict::invalid}) {
    EXPECT_EQ(verdict_from_text(to_text(verdict)), verdict);
  }
  EXPECT_EQ(to_text(Verdict::no_steady_state), "no steady state");
  EXPECT_THROW(verdict_from_text("splendid"), base::Error);
}

}  // namespace
}  // namespace etalon::measure
