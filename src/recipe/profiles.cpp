// SPDX-License-Identifier: Apache-2.0
#include "recipe/profiles.h"

#include <algorithm>

namespace etalon::recipe {

const std::vector<Profile>& profiles() {
  static const std::vector<Profile> table = {
      {"smoke",  // proves that everything runs: seconds; it has no gates, whatever their thresholds
       {{"measure.launches", 1},
        {"measure.warmup_seconds", 2.0},
        {"measure.window_seconds", 3.0},
        {"measure.cap_seconds", 120.0},
        {"measure.until", "window"},
        {"measure.half_width", 1.0},
        {"measure.fewest_batches", 2},
        {"measure.drift", 1.0}}},
      {"quick",  // an honest figure in minutes: precision and drift are gated, thermal equilibrium is not
       {{"measure.launches", 1},
        {"measure.warmup_seconds", 60.0},
        {"measure.window_seconds", 60.0},
        {"measure.cap_seconds", 600.0},
        {"measure.until", "window"},
        {"measure.half_width", 0.01},
        {"measure.fewest_batches", 20},
        {"measure.drift", 0.005}}},
  };
  return table;
}

const Profile* find_profile(std::string_view name) {
  const auto& all = profiles();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Profile& profile) { return profile.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace etalon::recipe
