// SPDX-License-Identifier: Apache-2.0
// Reading of merges, and the joining itself.
#include "worker/data/tokenizers/byte_pairs.h"

#include <utf8proc.h>

#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>

#include "base/text.h"
#include "worker/failure.h"

namespace etalon::data {
namespace {

constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

std::uint64_t pair_key(std::uint32_t left, std::uint32_t right) { return std::uint64_t{left} << 32 | right; }

/// Bytes that GPT-2's files write as the character of the same number; the others follow from 256 on, in order.
bool is_written_as_itself(unsigned byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

/// The bytes in the order of the characters that stand for them: written character → byte, and byte → place in that order.
struct Alphabet {
  std::unordered_map<std::int32_t, char> bytes;
  std::array<std::uint32_t, 256> places{};

  Alphabet() {
    std::uint32_t place = 0;
    std::int32_t substitute = 256;
    for (const bool itself : {true, false}) {
      for (unsigned byte = 0; byte < 256; ++byte) {
        if (is_written_as_itself(byte) == itself) {
          bytes[itself ? static_cast<std::int32_t>(byte) : substitute++] = static_cast<char>(byte);
          places[byte] = place++;
        }
      }
    }
  }

  /// The bytes that `written` stands for; empty when it holds anything else.
  std::string read(std::string_view written) const {
    std::string text;
    while (!written.empty()) {
      utf8proc_int32_t point = 0;
      const utf8proc_ssize_t count = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(written.data()),
                                                      static_cast<utf8proc_ssize_t>(written.size()), &point);
      const auto found = count < 1 ? bytes.end() : bytes.find(point);
      if (found == bytes.end()) {
        return {};
      }
      text += found->second;
      written.remove_prefix(static_cast<std::size_t>(count));
    }
    return text;
  }
};

/// Symbols by their bytes, while the file is read.
class Symbols {
 public:
  explicit Symbols(const Alphabet& alphabet) : alphabet_(alphabet) {
    for (unsigned byte = 0; byte < 256; ++byte) ids_[std::string(1, static_cast<char>(byte))] = alphabet.places[byte];
  }

  /// Learns one line; says what is wrong with it, or nothing.
  std::optional<std::string> learn(std::string_view line, std::unordered_map<std::uint64_t, std::uint32_t>& joined) {
    const std::vector<std::string_view> parts = base::split(line, ' ');
    if (parts.size() != 2) return "it is no pair: two parts with a blank between them";
    const std::string left = alphabet_.read(parts[0]);
    const std::string right = alphabet_.read(parts[1]);
    if (left.empty() || right.empty()) return "a part is empty, or holds a character that stands for no byte";
    const auto left_id = ids_.find(left);
    const auto right_id = ids_.find(right);
    if (left_id == ids_.end() || right_id == ids_.end()) return "no earlier line makes one of its parts";
    const auto id = static_cast<std::uint32_t>(ids_.size());
    const std::uint64_t key = pair_key(left_id->second, right_id->second);
    if (!ids_.emplace(left + right, id).second) return "an earlier line makes the same token";
    joined.emplace(key, id);
    return std::nullopt;
  }

 private:
  const Alphabet& alphabet_;
  std::unordered_map<std::string, std::uint32_t> ids_;
};

/// A word while its parts are joined: a list of the parts that are left, and the pairs that might be next.
class Joining {
 public:
  Joining(std::string_view word, const std::array<std::uint32_t, 256>& byte_ids,
          const std::unordered_map<std::uint64_t, std::uint32_t>& joined)
      : joined_(joined) {
    parts_.reserve(word.size());
    for (std::size_t index = 0; index < word.size(); ++index) {
      const auto position = static_cast<std::uint32_t>(index);
      const std::uint32_t after = index + 1 < word.size() ? position + 1 : nothing;
      parts_.push_back({byte_ids[static_cast<unsigned char>(word[index])], index > 0 ? position - 1 : nothing, after});
    }
    for (std::uint32_t position = 0; position + 1 < parts_.size(); ++position) consider(position);
  }

  void run() {
    while (!candidates_.empty()) {
      const auto [id, position, left, right] = candidates_.top();
      candidates_.pop();
      Part& part = parts_[position];
      if (part.id != left || part.next == nothing || parts_[part.next].id != right) continue;  // overtaken
      Part& absorbed = parts_[part.next];
      part.id = id;
      part.next = absorbed.next;
      absorbed.id = nothing;
      if (part.next != nothing) {
        parts_[part.next].previous = position;
        consider(position);
      }
      if (part.previous != nothing) consider(part.previous);
    }
  }

  void append_to(std::vector<std::uint32_t>& ids) const {
    for (const Part& part : parts_) {
      if (part.id != nothing) ids.push_back(part.id);
    }
  }

 private:
  struct Part {
    std::uint32_t id;
    std::uint32_t previous;
    std::uint32_t next;
  };
  // Id of the pair, which is its rank; position; ids of its parts. The smallest comes first: of equal pairs the leftmost.
  using Candidate = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

  void consider(std::uint32_t position) {
    const Part& part = parts_[position];
    const std::uint32_t right = parts_[part.next].id;
    if (const auto found = joined_.find(pair_key(part.id, right)); found != joined_.end()) {
      candidates_.emplace(found->second, position, part.id, right);
    }
  }

  const std::unordered_map<std::uint64_t, std::uint32_t>& joined_;
  std::vector<Part> parts_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
};

}  // namespace

BytePairs::BytePairs(std::string_view merges, const std::string& place) {
  const Alphabet alphabet;
  Symbols symbols(alphabet);
  byte_ids_ = alphabet.places;
  std::size_t number = 0;
  for (std::string_view line : base::split(merges, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || (number == 1 && line.starts_with("#version"))) continue;
    if (const auto problem = symbols.learn(line, joined_)) {
      throw worker::Failure("data", place + ":" + std::to_string(number) + ": " + *problem,
                            "use the vocab.bpe (merges.txt) of a published GPT-2 tokenizer");
    }
  }
  if (joined_.empty()) {
    throw worker::Failure("data", place + " holds no pairs",
                          "use the vocab.bpe (merges.txt) of a published GPT-2 tokenizer");
  }
}

void BytePairs::encode(std::string_view word, std::vector<std::uint32_t>& ids) const {
  Joining joining(word, byte_ids_, joined_);
  joining.run();
  joining.append_to(ids);
}

}  // namespace etalon::data
