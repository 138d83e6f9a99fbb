// SPDX-License-Identifier: Apache-2.0
// GPT-2's tokenizer from its merges alone: ids follow from the order of the lines, <|endoftext|> comes last.
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "worker/data/tokenizers/byte_pairs.h"
#include "worker/data/tokenizers/catalog.h"
#include "worker/data/tokenizers/words.h"
#include "worker/failure.h"

namespace etalon::data {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;
// Words that come again need not be joined again: most do.
constexpr std::size_t most_words_kept = std::size_t{1} << 18;
constexpr std::size_t longest_word_kept = 64;

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

std::string read_merges(const std::string& file) {
  try {
    return base::read_file(file, most_bytes);
  } catch (const base::Error& error) {
    throw worker::Failure("data", error.what(), error.next_step());
  }
}

class Gpt2Tokenizer final : public Tokenizer {
 public:
  Gpt2Tokenizer(const std::string& file, const std::string& merges)
      : pairs_(merges, file), sha256_(base::sha256(merges)) {}

  void encode(std::string_view text, std::vector<std::uint32_t>& ids) override {
    while (!text.empty()) {
      const std::size_t bytes = first_word(text);
      encode_word(text.substr(0, bytes), ids);
      text.remove_prefix(bytes);
    }
  }
  std::int64_t vocabulary() const override { return pairs_.size() + 1; }
  std::optional<std::uint32_t> end_of_document() const override { return static_cast<std::uint32_t>(pairs_.size()); }
  base::Json description() const override {
    return {{"name", "gpt2"}, {"vocabulary", vocabulary()}, {"merges_sha256", sha256_}};
  }

 private:
  void encode_word(std::string_view word, std::vector<std::uint32_t>& ids) {
    const auto found = words_.find(word);
    if (found != words_.end()) {
      ids.insert(ids.end(), found->second.begin(), found->second.end());
      return;
    }
    const std::size_t before = ids.size();
    pairs_.encode(word, ids);
    if (word.size() <= longest_word_kept && words_.size() < most_words_kept) {
      words_.emplace(word, std::vector(ids.begin() + static_cast<std::ptrdiff_t>(before), ids.end()));
    }
  }

  BytePairs pairs_;
  std::string sha256_;
  std::unordered_map<std::string, std::vector<std::uint32_t>, TextHash, std::equal_to<>> words_;
};

}  // namespace

TokenizerKind gpt2_tokenizer() {
  return {"gpt2:", "FILE", [](const std::string& file) -> std::unique_ptr<Tokenizer> {
            return std::make_unique<Gpt2Tokenizer>(file, read_merges(file));
          }};
}

}  // namespace etalon::data
