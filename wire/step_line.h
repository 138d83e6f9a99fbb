// SPDX-License-Identifier: Apache-2.0
// Steps are the hot path: written by hand, and read by hand when they look exactly as written. Everything else takes the general way.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wire/event.h"

namespace etalon::wire {

/// The line of a step with its newline.
std::string encode_step(const Step& step);

/// The step of a line spelled exactly as encode_step spells it; empty for any other line, valid or not.
std::optional<Step> decode_canonical_step(std::string_view line);

}  // namespace etalon::wire
