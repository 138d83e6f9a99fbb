// SPDX-License-Identifier: Apache-2.0
// Keeps secrets out of a dossier: a command line is recorded without the values of secret-looking arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace etalon::dossier {

inline constexpr std::string_view redacted = "[redacted]";

/// True for names that hold a secret: a word of the name is token, secret, password, key after api/access/private, ….
bool is_secret_name(std::string_view name);

/// The arguments, with the value of "--api-key VALUE", "--set x.password=VALUE", "https://user:VALUE@host" and of well-known
/// token shapes (hf_…, ghp_…, sk-…) replaced by "[redacted]".
std::vector<std::string> redact(const std::vector<std::string>& arguments);

}  // namespace etalon::dossier
