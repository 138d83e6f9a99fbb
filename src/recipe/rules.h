// SPDX-License-Identifier: Apache-2.0
// Rules that bind keys to each other. Internal to this folder.
#pragma once

#include "recipe/resolve.h"

namespace etalon::recipe {

/// Throws Error(usage) for the first rule that the recipe breaks, naming the keys, their values and who gave them.
void check_rules(const ResolvedRecipe& resolved);

}  // namespace etalon::recipe
