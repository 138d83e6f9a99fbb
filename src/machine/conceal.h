// SPDX-License-Identifier: Apache-2.0
// What identifies a person or a machine is replaced by a pseudonym before it is written anywhere.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/json.h"

namespace etalon::machine {

/// "host-3fa9c1d2e4b5": the same on one machine, and not to be traced back without it, because it is a SHA-256 keyed with
/// the machine's id (/etc/machine-id below `root`; until the next boot where there is none).
std::string pseudonym(std::string_view kind, std::string_view value, const std::filesystem::path& root = "/");

inline constexpr std::string_view redacted = "[redacted]";

/// A name that promises a secret: "HF_TOKEN", "PGPASSWORD", "api-key"; not "new-tokens", "KEYBOARD" or "key" alone.
bool names_secret(std::string_view name);

/// `text` (an argument; at most a few kilobytes) with the user:password@ of an address and tokens of well-known shape
/// (hf_…, ghp_…, sk-…) replaced by "[redacted]", which nobody can undo: also for a dossier that identifies its machine.
std::string without_secrets(std::string_view text);

/// The value of the setting `name` fit for a dossier: pseudonyms for the whole of a secret, and for user folders, UUIDs,
/// network addresses and user:password@ parts inside any text.
std::string concealed(std::string_view name, std::string_view value, const std::filesystem::path& root = "/");

/// The same for every text inside `value`, of any length; keys are not looked at for secrets ("tokens" is none). Below
/// "versions" and "libraries" four numbers with dots are no address.
base::Json concealed(const base::Json& value, const std::filesystem::path& root = "/");

/// The same for free text, line by line and of any length.
std::string concealed_text(std::string_view text, const std::filesystem::path& root = "/");

}  // namespace etalon::machine
