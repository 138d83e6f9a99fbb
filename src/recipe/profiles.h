// SPDX-License-Identifier: Apache-2.0
// Profiles: named sets of thresholds. One row each; every row gives every key that the table leaves to the profile.
// Internal to this folder.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"

namespace etalon::recipe {

struct Profile {
  std::string name;
  std::vector<std::pair<std::string, base::Json>> values;  ///< dotted key → value
};

const std::vector<Profile>& profiles();

/// nullptr when there is none of that name.
const Profile* find_profile(std::string_view name);

}  // namespace etalon::recipe
