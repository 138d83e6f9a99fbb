// SPDX-License-Identifier: Apache-2.0
// Each reason against publishing, and the dossier that has none.
#include "report/publishable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etalon::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// As good as it gets: sealed, steady, three launches under the profile for publishing.
dossier::Dossier good() {
  dossier::Dossier dossier;
  dossier.sealed = true;
  dossier.verdict = measure::Verdict::steady;
  dossier.headline.emplace_back();
  dossier.recipe.recipe.measure.profile = "publish";
  dossier.recipe.origins["measure.half_width"] = {"profile", "publish"};
  for (int index = 1; index <= 3; ++index) {
    dossier.launches.emplace_back();
    dossier.launches.back().outcome.window = measure::Window{0, 10};
  }
  return dossier;
}

TEST(Publishable, HasNoObjectionToWhatIsSteadyThreeTimes) { EXPECT_THAT(objections_to_publishing(good()), IsEmpty()); }

TEST(Publishable, ObjectsToWhatIsNotSealedOrNotSteady) {
  dossier::Dossier dossier = good();
  dossier.sealed = false;
  dossier.verdict = measure::Verdict::drifting;
  EXPECT_THAT(objections_to_publishing(dossier),
              ElementsAre("The dossier was never sealed.", "The verdict is \"drifting\", not \"steady\"."));
}

TEST(Publishable, ObjectsToQuickProfilesAndLoosenedThresholds) {
  dossier::Dossier dossier = good();
  dossier.recipe.recipe.measure.profile = "quick";
  dossier.recipe.origins["measure.half_width"] = {"recipe", "nano.toml:37"};
  EXPECT_THAT(objections_to_publishing(dossier),
              ElementsAre(HasSubstr("waives thermal equilibrium"),
                          "measure.half_width is not the profile's: it comes from recipe: nano.toml:37."));
  dossier = good();
  dossier.recipe.recipe.measure.profile = "smoke";
  EXPECT_THAT(objections_to_publishing(dossier), ElementsAre(HasSubstr("has no gates")));
}

TEST(Publishable, ObjectsToFewerThanThreeLaunches) {
  dossier::Dossier dossier = good();
  dossier.launches.back().outcome.window.reset();
  EXPECT_THAT(objections_to_publishing(dossier), ElementsAre(HasSubstr("rests on 2 launches; 3 are asked for")));
}

TEST(Publishable, ObjectsToARunThatIgnoredAFailedCheck) {
  dossier::Dossier dossier = good();
  dossier.preflight = {{"findings",
                        {{{"id", "GPU-03"}, {"level", "fail"}, {"evidence", "another process computes"}},
                         {{"id", "VRT-01"}, {"level", "warn"}, {"evidence", "a container"}}}}};
  EXPECT_THAT(objections_to_publishing(dossier),
              ElementsAre("Before the start, check GPU-03 failed: another process computes."));
}

}  // namespace
}  // namespace etalon::report
