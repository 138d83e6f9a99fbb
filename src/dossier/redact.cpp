// SPDX-License-Identifier: Apache-2.0
#include "dossier/redact.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace etalon::dossier {

namespace {

// Prefixes by which the services' tokens are known; short words that merely begin so are left alone.
constexpr std::array<std::string_view, 9> token_prefixes = {"hf_", "ghp_",  "gho_",  "github_pat_", "glpat-",
                                                            "sk-", "xoxb-", "xoxp-", "AKIA"};
constexpr std::size_t shortest_token = 16;

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char character : name) {
    const auto byte = static_cast<unsigned char>(character);
    if (std::isalnum(byte) != 0) {
      words.back() += static_cast<char>(std::tolower(byte));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

bool looks_like_token(std::string_view value) {
  return value.size() >= shortest_token &&
         std::ranges::any_of(token_prefixes, [&](std::string_view prefix) { return value.starts_with(prefix); });
}

/// "scheme://user:password@host" without the password.
std::string without_password(std::string_view value) {
  const std::size_t scheme = value.find("://");
  if (scheme == std::string_view::npos) return std::string(value);
  const std::size_t authority = scheme + 3;
  const std::string_view host_part = value.substr(authority, value.find('/', authority) - authority);
  const std::size_t at = host_part.rfind('@');
  const std::size_t colon = host_part.find(':');
  if (at == std::string_view::npos || colon == std::string_view::npos || colon > at) return std::string(value);
  return std::string(value.substr(0, authority + colon + 1)) + std::string(redacted) +
         std::string(value.substr(authority + at));
}

std::string redact_value(std::string_view value) {
  if (looks_like_token(value)) return std::string(redacted);
  return without_password(value);
}

}  // namespace

bool is_secret_name(std::string_view name) {
  static constexpr std::array<std::string_view, 10> secrets = {"token",       "secret",       "password", "passwd",
                                                               "passphrase",  "apikey",       "bearer",   "credential",
                                                               "credentials", "authorization"};
  static constexpr std::array<std::string_view, 4> kinds_of_key = {"api", "access", "private", "secret"};
  const std::vector<std::string> words = words_of(name);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (std::ranges::find(secrets, words[i]) != secrets.end()) return true;
    if (i > 0 && words[i] == "key" && std::ranges::find(kinds_of_key, words[i - 1]) != kinds_of_key.end()) return true;
  }
  return false;
}

std::vector<std::string> redact(const std::vector<std::string>& arguments) {
  std::vector<std::string> result;
  bool next_is_secret = false;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    if (next_is_secret) {
      result.emplace_back(redacted);
    } else if (equals == std::string::npos) {
      result.push_back(redact_value(argument));
    } else {
      const std::string_view name = std::string_view(argument).substr(0, equals);
      const std::string_view value = std::string_view(argument).substr(equals + 1);
      result.push_back(std::string(name) + "=" + (is_secret_name(name) ? std::string(redacted) : redact_value(value)));
    }
    next_is_secret =
        !next_is_secret && equals == std::string::npos && argument.starts_with("--") && is_secret_name(argument);
  }
  return result;
}

}  // namespace etalon::dossier
