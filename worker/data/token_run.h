// SPDX-License-Identifier: Apache-2.0
// Token ids as they lie in memory: one, two or four bytes each, in a text, in a buffer of ours or in a mapped file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace etalon::data {

/// A read-only run of unsigned little-endian ids; shares ownership of what it lies in.
class TokenRun {
 public:
  TokenRun() = default;
  /// `bytes_per_token`: 1, 2 or 4; `bytes` holds whole tokens.
  TokenRun(std::shared_ptr<const void> owner, std::span<const std::byte> bytes, std::size_t bytes_per_token)
      : owner_(std::move(owner)), bytes_(bytes), bytes_per_token_(bytes_per_token) {}

  std::int64_t size() const { return static_cast<std::int64_t>(bytes_.size() / bytes_per_token_); }
  /// Fills `tokens` with those from `first` on; they must be there.
  void copy(std::int64_t first, std::span<std::int64_t> tokens) const;
  TokenRun part(std::int64_t first, std::int64_t count) const;

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
  std::size_t bytes_per_token_ = 1;
};

/// The bytes of a text as tokens.
TokenRun run_of_bytes(std::string text);

/// Ids below `vocabulary`, kept in two bytes where that is enough.
TokenRun run_of_ids(std::span<const std::uint32_t> ids, std::int64_t vocabulary);

}  // namespace etalon::data
