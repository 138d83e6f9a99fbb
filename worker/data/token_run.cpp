// SPDX-License-Identifier: Apache-2.0
// Widening copies out of packed ids.
#include "worker/data/token_run.h"

#include <cstring>
#include <utility>

namespace etalon::data {
namespace {

template <class Packed>
void widen(const std::byte* from, std::span<std::int64_t> tokens) {
  for (std::size_t index = 0; index < tokens.size(); ++index) {
    Packed packed;
    std::memcpy(&packed, from + index * sizeof(Packed), sizeof packed);
    tokens[index] = static_cast<std::int64_t>(packed);
  }
}

template <class Packed>
TokenRun packed_run(std::span<const std::uint32_t> ids) {
  const auto packed = std::make_shared<const std::vector<Packed>>(ids.begin(), ids.end());
  return {packed, std::as_bytes(std::span(*packed)), sizeof(Packed)};
}

}  // namespace

void TokenRun::copy(std::int64_t first, std::span<std::int64_t> tokens) const {
  const std::byte* const from = bytes_.data() + static_cast<std::size_t>(first) * bytes_per_token_;
  if (bytes_per_token_ == 1) {
    widen<std::uint8_t>(from, tokens);
  } else if (bytes_per_token_ == 2) {
    widen<std::uint16_t>(from, tokens);
  } else {
    widen<std::uint32_t>(from, tokens);
  }
}

TokenRun TokenRun::part(std::int64_t first, std::int64_t count) const {
  const std::size_t start = static_cast<std::size_t>(first) * bytes_per_token_;
  return {owner_, bytes_.subspan(start, static_cast<std::size_t>(count) * bytes_per_token_), bytes_per_token_};
}

TokenRun run_of_bytes(std::string text) {
  const auto owner = std::make_shared<const std::string>(std::move(text));
  return {owner, std::as_bytes(std::span(*owner)), 1};
}

TokenRun run_of_ids(std::span<const std::uint32_t> ids, std::int64_t vocabulary) {
  constexpr std::int64_t two_byte_values = 65'536;
  return vocabulary <= two_byte_values ? packed_run<std::uint16_t>(ids) : packed_run<std::uint32_t>(ids);
}

}  // namespace etalon::data
