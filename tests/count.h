// SPDX-License-Identifier: Apache-2.0
// How often a text holds another.
#pragma once

#include <string>

inline std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t place = text.find(what); place != std::string::npos; place = text.find(what, place + 1)) ++found;
  return found;
}
