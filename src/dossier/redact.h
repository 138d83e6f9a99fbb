// SPDX-License-Identifier: Apache-2.0
// Keeps secrets out of a dossier: a command line is recorded without the values of secret-looking arguments.
#pragma once

#include <string>
#include <vector>

namespace etalon::dossier {

/// The arguments, with the value of "--api-key VALUE" and "--set x.password=VALUE", and what machine::without_secrets
/// knows inside any other, replaced by "[redacted]".
std::vector<std::string> redact(const std::vector<std::string>& arguments);

}  // namespace etalon::dossier
