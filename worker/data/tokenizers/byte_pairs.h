// SPDX-License-Identifier: Apache-2.0
// Byte pair encoding: bytes joined pair by pair, the pair that was learnt first comes first.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etalon::data {

class BytePairs {
 public:
  /// `merges`: the text of a vocab.bpe or merges.txt (one pair a line, the first learnt first, bytes written as GPT-2 writes
  /// them). Ids are GPT-2's: the 256 bytes in the order of their written characters, then one for each line.
  /// Throws worker::Failure("data") naming `place` and the line: no pair, a part that no earlier line has made, a pair twice.
  BytePairs(std::string_view merges, const std::string& place);

  /// Appends the ids of one word. O(n log n), so a megabyte without a blank is no trap.
  void encode(std::string_view word, std::vector<std::uint32_t>& ids) const;
  /// 256 and one for each pair.
  std::int64_t size() const { return static_cast<std::int64_t>(byte_ids_.size() + joined_.size()); }

 private:
  std::array<std::uint32_t, 256> byte_ids_{};
  std::unordered_map<std::uint64_t, std::uint32_t> joined_;  // both ids of a pair → its own
};

}  // namespace etalon::data
