// SPDX-License-Identifier: Apache-2.0
// SHA-256 of texts and files, as lower-case hexadecimal unless named otherwise.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace etalon::base {

std::string sha256(std::string_view bytes);
/// The same in base64, as the policies of web pages name scripts.
std::string sha256_base64(std::string_view bytes);

/// Streams the file in blocks. Throws Error(usage) when it cannot be read.
std::string sha256_file(const std::filesystem::path& path);

}  // namespace etalon::base
