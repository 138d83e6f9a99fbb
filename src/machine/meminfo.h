// SPDX-License-Identifier: Apache-2.0
// /proc/meminfo, whose "kB" are KiB.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace etalon::machine {

/// Bytes of the line `key` ("MemTotal"), or nothing when it is absent or not a number of kB.
std::optional<std::int64_t> meminfo_bytes(std::string_view text, std::string_view key);

}  // namespace etalon::machine
