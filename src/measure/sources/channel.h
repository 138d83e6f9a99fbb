// SPDX-License-Identifier: Apache-2.0
// How the sources describe their channels: one that reads, or why it does not.
#pragma once

#include <string>
#include <string_view>

#include "machine/fact.h"
#include "measure/recording.h"

namespace etalon::measure {

/// A channel that has a column; `unit` is also the end of its name.
Channel readable_channel(std::string name, std::string unit, std::string meaning, std::string source);
/// The same, shown to somebody watching under this label; of several with one label the largest is shown.
Channel shown_live(Channel channel, std::string label);
/// One without a column.
Channel missing_channel(std::string name, std::string unit, std::string meaning, std::string source,
                        machine::FactState state, std::string reason);
/// One whose file could not be read: "not permitted" for EACCES, "not supported" for ENOENT, …
Channel unreadable_channel(std::string name, std::string unit, std::string meaning, std::string source,
                           std::string_view file, int error_number);

/// A column-name part from whatever the kernel calls a thing: "x86_pkg_temp", "Core 0" → "core_0"; "unnamed" for nothing.
std::string column_name_part(std::string_view text);

}  // namespace etalon::measure
