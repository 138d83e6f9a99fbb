// SPDX-License-Identifier: Apache-2.0
#include "dossier/redact.h"

#include <string_view>

#include "machine/conceal.h"

namespace etalon::dossier {

std::vector<std::string> redact(const std::vector<std::string>& arguments) {
  std::vector<std::string> result;
  bool next_is_secret = false;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    const std::string_view name = std::string_view(argument).substr(0, equals);
    if (next_is_secret) {
      result.emplace_back(machine::redacted);
    } else if (equals != std::string::npos && machine::names_secret(name)) {
      result.push_back(std::string(name) + "=" + std::string(machine::redacted));
    } else {
      result.push_back(machine::without_secrets(argument));
    }
    next_is_secret =
        !next_is_secret && equals == std::string::npos && argument.starts_with("--") && machine::names_secret(argument);
  }
  return result;
}

}  // namespace etalon::dossier
