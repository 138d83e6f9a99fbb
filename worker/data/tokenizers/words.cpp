// SPDX-License-Identifier: Apache-2.0
// The pattern by hand: one class per character, one rule per class. Classes of characters come from utf8proc.
#include "worker/data/tokenizers/words.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace etalon::data {
namespace {

enum class Class { letter, number, space, other };

struct Character {
  Class kind;
  std::size_t bytes;
};

constexpr std::int32_t first_beyond_ascii = 0x80;

/// Property White_Space of Unicode, which no longer grows (stable since Unicode 6.3).
bool is_white_space(std::int32_t point) {
  constexpr std::array<std::int32_t, 8> single{0x20, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F};
  return (point >= 0x09 && point <= 0x0D) || (point >= 0x2000 && point <= 0x200A) || point == 0x3000 ||
         std::find(single.begin(), single.end(), point) != single.end();
}

Class class_of(std::int32_t point) {
  if (is_white_space(point)) {
    return Class::space;
  }
  if (point < first_beyond_ascii) {
    const std::int32_t lower = point | 0x20;
    return lower >= 'a' && lower <= 'z' ? Class::letter : point >= '0' && point <= '9' ? Class::number : Class::other;
  }
  const utf8proc_category_t category = utf8proc_category(point);
  if (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) {
    return Class::letter;
  }
  return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO ? Class::number : Class::other;
}

/// The character at the front of `text`, which is not empty.
Character first_character(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte < first_beyond_ascii) {
    return {class_of(byte), 1};
  }
  constexpr std::size_t longest_character = 4;
  const auto length = static_cast<utf8proc_ssize_t>(std::min(text.size(), longest_character));
  utf8proc_int32_t point = 0;
  const utf8proc_ssize_t bytes =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), length, &point);
  return bytes < 1 ? Character{Class::other, 1} : Character{class_of(point), static_cast<std::size_t>(bytes)};
}

std::size_t contraction(std::string_view text) {
  for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
    if (text.starts_with(ending)) {
      return ending.size();
    }
  }
  return 0;
}

/// Bytes of the run of `kind` that begins at `start`.
std::size_t end_of_run(std::string_view text, std::size_t start, Class kind) {
  while (start < text.size()) {
    const Character character = first_character(text.substr(start));
    if (character.kind != kind) {
      break;
    }
    start += character.bytes;
  }
  return start;
}

/// White space leaves its last character to the word that follows, unless it has only one.
std::size_t white_space(std::string_view text) {
  std::size_t end = 0;
  std::size_t last = 0;
  while (end < text.size()) {
    const Character character = first_character(text.substr(end));
    if (character.kind != Class::space) {
      return last == 0 ? end : last;
    }
    last = end;
    end += character.bytes;
  }
  return end;
}

}  // namespace

std::size_t first_word(std::string_view text) {
  if (const std::size_t bytes = contraction(text); bytes > 0) {
    return bytes;
  }
  const std::size_t blank = text.front() == ' ' && text.size() > 1 ? 1 : 0;
  const Character character = first_character(text.substr(blank));
  if (character.kind == Class::space) {
    return white_space(text);
  }
  return end_of_run(text, blank, character.kind);
}

}  // namespace etalon::data
