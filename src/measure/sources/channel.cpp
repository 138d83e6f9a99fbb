// SPDX-License-Identifier: Apache-2.0
// Descriptions of channels.
#include "measure/sources/channel.h"

#include <utility>

#include <fmt/format.h>

namespace etalon::measure {

Channel readable_channel(std::string name, std::string unit, std::string meaning, std::string source) {
  return {std::move(name),
          std::move(unit),
          std::move(meaning),
          std::move(source),
          std::string(to_text(machine::FactState::value)),
          {}};
}

Channel shown_live(Channel channel, std::string label) {
  channel.live = std::move(label);
  return channel;
}

Channel missing_channel(std::string name, std::string unit, std::string meaning, std::string source,
                        machine::FactState state, std::string reason) {
  return {std::move(name),  std::move(unit), std::move(meaning), std::move(source), std::string(to_text(state)),
          std::move(reason)};
}

Channel unreadable_channel(std::string name, std::string unit, std::string meaning, std::string source,
                           std::string_view file, int error_number) {
  return missing_channel(std::move(name), std::move(unit), std::move(meaning), std::move(source),
                         machine::state_of_errno(error_number),
                         fmt::format("{}: {}", file, machine::words_of_errno(error_number)));
}

std::string column_name_part(std::string_view text) {
  std::string part;
  for (const char letter : text) {
    const bool digit_or_lower = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z');
    const bool upper = letter >= 'A' && letter <= 'Z';
    if (digit_or_lower)
      part += letter;
    else if (upper)
      part += static_cast<char>(letter - 'A' + 'a');
    else if (!part.empty() && part.back() != '_')
      part += '_';
    if (part.size() >= 40) break;
  }
  while (part.ends_with('_')) part.pop_back();
  return part.empty() ? "unnamed" : part;
}

}  // namespace etalon::measure
