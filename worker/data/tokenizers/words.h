// SPDX-License-Identifier: Apache-2.0
// GPT-2's first cut of a text, before any pair is merged: contractions, runs of letters, of digits, of other symbols (each
// with the blank before it), and white space.
#pragma once

#include <cstddef>
#include <string_view>

namespace etalon::data {

/// Bytes of the first word of `text`, which is not empty. The same cut as the pattern of GPT-2's encoder
///   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
/// with \s the Unicode property White_Space. A byte that begins no UTF-8 character counts as a symbol of its own.
std::size_t first_word(std::string_view text);

}  // namespace etalon::data
